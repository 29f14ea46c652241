#include "table.h"

#include <elasto/scene/printable.h>
#include <fmt/format.h>

#include <algorithm>

namespace elasto::tools {

void Table::addRow(std::vector<std::string> cells) {
    for (std::string& cell : cells) cell = printableLine(cell);
    m_rows.push_back(std::move(cells));
}

std::string Table::text() const {
    std::vector<std::size_t> widths;
    std::vector<std::string> titles;
    std::vector<std::string> rules;
    for (std::size_t i = 0; i < m_columns.size(); ++i) {
        std::size_t width = m_columns[i].title.size();
        for (const auto& row : m_rows) {
            if (i < row.size()) width = std::max(width, row[i].size());
        }
        widths.push_back(width);
        titles.push_back(m_columns[i].title);
        rules.emplace_back(width, '-');
    }
    std::string text;
    const auto append = [&](const std::vector<std::string>& cells) {
        std::string line;
        for (std::size_t i = 0; i < m_columns.size(); ++i) {
            const std::string cell = i < cells.size() ? cells[i] : std::string();
            if (i > 0) line += "  ";
            line += m_columns[i].align == Align::Right ? fmt::format("{:>{}}", cell, widths[i])
                                                       : fmt::format("{:<{}}", cell, widths[i]);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    };
    append(titles);
    append(rules);
    for (const auto& row : m_rows) append(row);
    return text;
}

}  // namespace elasto::tools
