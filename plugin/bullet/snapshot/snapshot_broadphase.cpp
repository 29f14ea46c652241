// A snapshot's btDbvtBroadphase: two trees of boxes, larger than the bodies and shaped by history, and the lists and
// counters that decide which pair is looked at when.
//
// Bullet's trees compare addresses of nodes, but only to decide which of two trades places in memory with the other:
// shape and contents of the tree, and so all results, do not depend on it.

#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>

#include <algorithm>

#include "snapshot/snapshot_parts.h"
#include "snapshot/snapshot_values.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

btDbvtProxy& proxyOf(const btCollisionObject& object) {
    return *static_cast<btDbvtProxy*>(const_cast<btCollisionObject&>(object).getBroadphaseHandle());
}
int bodyOf(const btDbvtProxy& proxy) {
    return static_cast<const btCollisionObject*>(proxy.m_clientObject)->getWorldArrayIndex();
}

void saveNodes(const btDbvtNode* node, std::vector<TreeRecord::Node>& nodes) {
    if (node == nullptr) {
        return;
    }
    if (node->isleaf()) {
        nodes.push_back({node->volume, bodyOf(*static_cast<const btDbvtProxy*>(node->data))});
        return;
    }
    nodes.push_back({node->volume, -1});
    saveNodes(node->childs[0], nodes);
    saveNodes(node->childs[1], nodes);
}

void collectNodes(btDbvtNode* node, std::vector<btDbvtNode*>& nodes) {
    if (node == nullptr) {
        return;
    }
    nodes.push_back(node);
    if (node->isinternal()) {
        collectNodes(node->childs[0], nodes);
        collectNodes(node->childs[1], nodes);
    }
}

// Builds both trees of what the present ones are made of.
class TreeBuilder {
public:
    explicit TreeBuilder(const SnapshotWorld& to) : m_to(to) {
        for (btDbvt& tree : to.broadphase.m_sets) {
            collectNodes(tree.m_root, m_unused);
            if (tree.m_free != nullptr) {
                m_unused.push_back(tree.m_free);
            }
            tree.m_root = nullptr;
            tree.m_free = nullptr;
        }
    }
    ~TreeBuilder() {
        for (btDbvtNode* node : m_unused) {
            btAlignedFree(node);
        }
    }
    TreeBuilder(const TreeBuilder&) = delete;
    TreeBuilder& operator=(const TreeBuilder&) = delete;

    void build(btDbvt& tree, const TreeRecord& record) {
        m_next = record.nodes.data();
        tree.m_root = record.nodes.empty() ? nullptr : buildNode(nullptr);
        tree.m_leaves = static_cast<int>((record.nodes.size() + 1) / 2);
        tree.m_opath = record.optimizedPath;
    }

private:
    btDbvtNode* buildNode(btDbvtNode* parent) {
        const TreeRecord::Node& record = *m_next++;
        btDbvtNode* node = freshNode();
        node->volume = record.volume;
        node->parent = parent;
        if (record.body >= 0) {
            btDbvtProxy& proxy = proxyOf(*m_to.objects[record.body]);
            node->data = &proxy;
            node->childs[1] = nullptr;
            proxy.leaf = node;
        } else {
            node->childs[0] = buildNode(node);
            node->childs[1] = buildNode(node);
        }
        return node;
    }

    // Bullet frees its nodes by btAlignedFree.
    btDbvtNode* freshNode() {
        if (m_unused.empty()) {
            return new (btAlignedAlloc(sizeof(btDbvtNode), 16)) btDbvtNode();
        }
        btDbvtNode* node = m_unused.back();
        m_unused.pop_back();
        return node;
    }

    const SnapshotWorld& m_to;
    std::vector<btDbvtNode*> m_unused;
    const TreeRecord::Node* m_next = nullptr;
};

template <class Broadphase, class Record, class Transfer>
void transferCounters(Broadphase& broadphase, Record& record, const Transfer& transfer) {
    transfer(broadphase.m_stageCurrent, record.stage);
    transfer(broadphase.m_newpairs, record.newPairs);
    transfer(broadphase.m_fixedleft, record.fixedLeft);
    transfer(broadphase.m_updates_call, record.updateCalls);
    transfer(broadphase.m_updates_done, record.updatesDone);
    transfer(broadphase.m_updates_ratio, record.updateRatio);
    transfer(broadphase.m_pid, record.runs);
    transfer(broadphase.m_cid, record.cleanUpAt);
    transfer(broadphase.m_needcleanup, record.needsCleanUp);
}

// Places of the bodies in the order of their ids.
std::vector<int> orderOf(const std::vector<int>& ids) {
    std::vector<int> order(ids.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        order[i] = static_cast<int>(i);
    }
    std::sort(order.begin(), order.end(),
              [&](int a, int b) { return ids[static_cast<std::size_t>(a)] < ids[static_cast<std::size_t>(b)]; });
    return order;
}

}  // namespace

void saveBroadphase(const SnapshotWorld& from, WorldRecord& record) {
    BroadphaseRecord& saved = record.broadphase;
    const btDbvtBroadphase& broadphase = from.broadphase;
    for (std::size_t i = 0; i < saved.trees.size(); ++i) {
        saveNodes(broadphase.m_sets[i].m_root, saved.trees[i].nodes);
        saved.trees[i].optimizedPath = broadphase.m_sets[i].m_opath;
    }
    for (std::size_t i = 0; i < saved.stages.size(); ++i) {
        for (const btDbvtProxy* proxy = broadphase.m_stageRoots[i]; proxy != nullptr; proxy = proxy->links[1]) {
            saved.stages[i].push_back(bodyOf(*proxy));
        }
    }
    saved.proxies.reserve(static_cast<std::size_t>(from.objects.size()));
    for (int i = 0; i < from.objects.size(); ++i) {
        const btDbvtProxy& proxy = proxyOf(*from.objects[i]);
        saved.proxies.push_back({valuesOf(proxy.m_aabbMin), valuesOf(proxy.m_aabbMax), proxy.stage, proxy.m_uniqueId});
    }
    transferCounters(broadphase, saved, Save());
}

void checkBroadphase(const SnapshotWorld& to, const WorldRecord& record) {
    std::vector<int> saved;
    std::vector<int> present;
    for (int i = 0; i < to.objects.size(); ++i) {
        saved.push_back(record.broadphase.proxies[static_cast<std::size_t>(i)].id);
        present.push_back(proxyOf(*to.objects[i]).m_uniqueId);
    }
    if (saved != present && orderOf(saved) != orderOf(present)) {
        to.refuse(
            "the bodies were added to the broadphase in another order than those of the snapshot: some were "
            "removed and added since");
    }
}

void restoreBroadphase(const SnapshotWorld& to, const WorldRecord& record) {
    const BroadphaseRecord& saved = record.broadphase;
    btDbvtBroadphase& broadphase = to.broadphase;
    TreeBuilder builder(to);
    for (std::size_t i = 0; i < saved.trees.size(); ++i) {
        builder.build(broadphase.m_sets[i], saved.trees[i]);
    }
    for (int i = 0; i < to.objects.size(); ++i) {
        btDbvtProxy& proxy = proxyOf(*to.objects[i]);
        const ProxyRecord& from = saved.proxies[static_cast<std::size_t>(i)];
        proxy.m_aabbMin = vectorOf(from.lower);
        proxy.m_aabbMax = vectorOf(from.upper);
        proxy.stage = from.stage;
    }
    for (std::size_t i = 0; i < saved.stages.size(); ++i) {
        btDbvtProxy* last = nullptr;
        broadphase.m_stageRoots[i] = nullptr;
        for (const int body : saved.stages[i]) {
            btDbvtProxy& proxy = proxyOf(*to.objects[body]);
            proxy.links[0] = last;
            proxy.links[1] = nullptr;
            (last != nullptr ? last->links[1] : broadphase.m_stageRoots[i]) = &proxy;
            last = &proxy;
        }
    }
    transferCounters(broadphase, saved, Restore());
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
