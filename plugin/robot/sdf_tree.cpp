#include "sdf_tree.h"

#include <algorithm>
#include <map>

namespace elasto::robot {

namespace {

const std::string kWorld = "world";

/// Joints by either of their ends.
using Joints = std::multimap<std::string, std::size_t>;

class Search {
public:
    explicit Search(const std::vector<JointEnds>& joints) : m_joints(joints) {
        for (std::size_t i = 0; i < joints.size(); ++i) {
            m_carried.emplace(joints[i].parent, i);
            m_carriers.emplace(joints[i].child, i);
        }
    }

    bool isCarried(const std::string& link) const { return m_carriers.contains(link); }

    /// All links that joints connect with one, itself and the world among them.
    std::set<std::string> partOf(const std::string& link) const {
        std::set<std::string> part;
        std::vector<std::string> open{link};
        while (!open.empty()) {
            const std::string next = open.back();
            open.pop_back();
            if (!part.insert(next).second) continue;
            for (const auto& [from, joint] : range(m_carried, next)) open.push_back(m_joints[joint].child);
            for (const auto& [from, joint] : range(m_carriers, next)) open.push_back(m_joints[joint].parent);
        }
        return part;
    }

    /// Which joints have to be reversed for all of the part to hang on the root.
    std::vector<bool> reversedFrom(const std::string& root) const {
        std::vector<bool> isReversed(m_joints.size(), false);
        std::set<std::string> reached;
        std::vector<std::size_t> carriers;  // of what is reached
        const auto reach = [&](const std::string& first) {
            std::vector<std::string> open{first};
            while (!open.empty()) {
                const std::string next = open.back();
                open.pop_back();
                if (!reached.insert(next).second) continue;
                for (const auto& [from, joint] : range(m_carried, next)) open.push_back(m_joints[joint].child);
                for (const auto& [from, joint] : range(m_carriers, next)) carriers.push_back(joint);
            }
        };
        reach(root);
        // As they are written first: those that are left over hang on what they carry.
        while (!carriers.empty()) {
            const std::size_t joint = carriers.back();
            carriers.pop_back();
            if (reached.contains(m_joints[joint].parent)) continue;
            isReversed[joint] = true;
            reach(m_joints[joint].parent);
        }
        return isReversed;
    }

private:
    struct Range {
        Joints::const_iterator first, last;
        Joints::const_iterator begin() const { return first; }
        Joints::const_iterator end() const { return last; }
    };
    static Range range(const Joints& joints, const std::string& link) {
        const auto [first, last] = joints.equal_range(link);
        return {first, last};
    }

    const std::vector<JointEnds>& m_joints;
    Joints m_carried;   // by parent
    Joints m_carriers;  // by child
};

}  // namespace

SdfTree findTree(const std::vector<std::string>& links, const std::vector<JointEnds>& joints) {
    const Search search(joints);
    SdfTree tree;
    std::size_t most = 0;
    std::set<std::string> seen;
    for (const std::string& link : links) {
        if (seen.contains(link)) continue;
        std::set<std::string> part = search.partOf(link);
        seen.insert(part.begin(), part.end());
        const std::size_t size = part.size() - part.count(kWorld);
        if (size <= most) continue;
        most = size;
        tree.links = std::move(part);
    }
    const auto isIn = [&](const std::string& link) { return tree.links.contains(link); };
    const auto isRoot = [&](const std::string& link) { return isIn(link) && !search.isCarried(link); };
    auto root = std::find_if(links.begin(), links.end(), isRoot);
    if (root == links.end()) root = std::find_if(links.begin(), links.end(), isIn);
    const bool isWorldOutside = std::find(links.begin(), links.end(), kWorld) == links.end();
    tree.root = isWorldOutside && isIn(kWorld) ? kWorld : *root;
    tree.isReversed = search.reversedFrom(tree.root);
    return tree;
}

}  // namespace elasto::robot
