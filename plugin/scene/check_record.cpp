#include "check_record.h"

#include "name_index.h"

#include <map>

namespace elasto::scene {

void checkRecord(const std::vector<SceneRecord>& records, const std::vector<std::string>& names, Problems& problems) {
    const NameIndex index(names);
    std::map<std::string, std::string> columns;
    for (std::size_t i = 0; i < records.size(); ++i) {
        const SceneRecord& record = records[i];
        const std::string path = "/record/" + std::to_string(i);
        const std::size_t fitting = index.fitting(record.signal).size();
        const std::string signalPath = record.as.empty() ? path : path + "/signal";
        if (fitting == 0) {
            problems.add(signalPath, [&] {
                return "\"" + record.signal + "\" is not allowed: it matches no signal" +
                       didYouMean(record.signal, names);
            });
        } else if (!record.as.empty() && fitting > 1) {
            problems.add(signalPath, "\"" + record.signal + "\" is not allowed: it matches " + std::to_string(fitting) +
                                         " signals; with a name it must match one");
        }
        if (record.as.empty()) continue;
        const auto [other, isNew] = columns.emplace(record.as, path + "/as");
        if (!isNew || record.as == "time") {
            problems.add(path + "/as", "\"" + record.as + "\" is not allowed: " +
                                           (isNew ? "the first column has that name"
                                                  : "it is the name at " + other->second + " already"));
        }
    }
    for (const std::string& name : names) {
        const auto given = columns.find(name);
        if (given != columns.end()) {
            problems.add(given->second, "\"" + name + "\" is not allowed: a signal has that name");
        }
    }
}

}  // namespace elasto::scene
