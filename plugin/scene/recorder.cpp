#include <elasto/scene/recorder.h>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

Recorder::Recorder(const SceneWorld& world) : Recorder(world, recordedSignals(world.scene())) {}

Recorder::Recorder(const SceneWorld& world, std::vector<Signal> signals)
    : m_world(world), m_signals(std::move(signals)), m_columns(m_signals.size()), m_row(m_signals.size() + 1) {
    for (const SceneBody& body : world.scene().bodies) m_orientations.push_back(body.orientation);
    record();
}

void Recorder::record() {
    record(m_world.sample());
}

void Recorder::record(SceneSample sample) {
    keepSigns(sample);
    m_row[0] = sample.time;
    for (std::size_t i = 0; i < m_signals.size(); ++i) {
        m_row[i + 1] = signalValue(m_world.scene(), sample, m_signals[i]);
    }
    ++m_rows;
    if (m_csv) {
        m_csv->addRow(m_row);
        return;
    }
    m_time.push_back(m_row[0]);
    for (std::size_t i = 0; i < m_signals.size(); ++i) m_columns[i].push_back(m_row[i + 1]);
}

void Recorder::keepSigns(SceneSample& sample) {
    for (std::size_t i = 0; i < m_orientations.size(); ++i) {
        Eigen::Quaterniond& now = sample.bodies[i].orientation;
        if (now.dot(m_orientations[i]) < 0) now.coeffs() *= -1;
        m_orientations[i] = now;
    }
}

const std::vector<double>& Recorder::column(std::string_view header) const {
    for (std::size_t i = 0; i < m_signals.size(); ++i) {
        if (m_signals[i].column == header) return m_columns[i];
    }
    throw std::out_of_range("Recorder: no column '" + std::string(header) + "'");
}

CsvFile Recorder::openCsv(const std::filesystem::path& file) const {
    std::vector<std::string> headers = {"time"};
    for (const Signal& signal : m_signals) headers.push_back(signal.column);
    CsvFile csv(file, headers);
    std::vector<double> row(m_signals.size() + 1);
    for (std::size_t k = 0; k < m_time.size(); ++k) {
        row[0] = m_time[k];
        for (std::size_t i = 0; i < m_columns.size(); ++i) row[i + 1] = m_columns[i][k];
        csv.addRow(row);
    }
    return csv;
}

void Recorder::writeCsv(const std::filesystem::path& file) const {
    openCsv(file).finish();
}

void Recorder::streamCsv(const std::filesystem::path& file) {
    m_csv.emplace(openCsv(file));
    m_time.clear();
    for (std::vector<double>& column : m_columns) column.clear();
}

void Recorder::finishCsv() {
    if (!m_csv) return;
    CsvFile csv = std::move(*m_csv);
    m_csv.reset();
    csv.finish();
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
