#pragma once
/// @file table.h
/// Columns of text.

#include <string>
#include <vector>

namespace elasto::tools {

/// Lays out rows of text in columns as wide as their widest cell, two spaces apart.
class Table {
public:
    enum class Align { Left, Right };
    struct Column {
        std::string title;
        Align align = Align::Left;
    };

    explicit Table(std::vector<Column> columns) : m_columns(std::move(columns)) {}
    /// Missing cells at the end of a row are empty. A cell stays on its line: control characters are escaped.
    void addRow(std::vector<std::string> cells);
    /// The table with its titles and a rule under them; every line ends with a line feed, none with a space.
    std::string text() const;

private:
    std::vector<Column> m_columns;
    std::vector<std::vector<std::string>> m_rows;
};

}  // namespace elasto::tools
