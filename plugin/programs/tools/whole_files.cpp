#include "whole_files.h"

#include <elasto/scene/time_table.h>

namespace elasto::tools {

WholeFiles::WholeFiles(const RunOptions& options, double rows, double signals) {
    if (!options.mat.empty()) {
        m_mat.emplace(options.mat);
        requireFitsIntoMat(options.mat, rows, signals);
    }
    if (!options.table.empty()) m_table.emplace(options.table);
}

void WholeFiles::write(const Trajectory& run, const std::vector<ResultConstant>& constants) {
    if (m_mat) m_mat->write(run, constants);
    if (!m_table) return;
    TimeTable table{.name = "run", .columns = run.signals.size() + 1, .values = {}, .titles = {"time"}};
    table.titles.insert(table.titles.end(), run.signals.begin(), run.signals.end());
    for (std::size_t row = 0; row < run.time.size(); ++row) {
        table.values.push_back(run.time[row]);
        for (const std::vector<double>& column : run.columns) table.values.push_back(column[row]);
    }
    m_table->write(timeTableText(table));
    m_table->commit();
}

}  // namespace elasto::tools
