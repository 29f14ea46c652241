#pragma once
// Networks are solved part by part: what no element and no joint connects has nothing to do with each other.

#include <elasto/flow.h>

#include <vector>

namespace elasto::flow {

/// A connected part of a network: bodies joined by elements, joints and contacts. Immovable bodies join nothing; each
/// part has its own copy.
struct NetworkPart {
    std::vector<int> bodies;  ///< indices in the whole network; so below
    std::vector<int> elements;
    std::vector<int> joints;
    std::vector<int> bounded;
    std::vector<int> contacts;
};

/// Splits one network after another; its storage only grows.
class NetworkParts {
public:
    void find(const FlowNetwork& network);

    /// True if all bodies that can move are in one part: the network can be solved as it is.
    bool isOne() const { return m_isOne; }
    std::size_t size() const { return m_count; }
    const NetworkPart& operator[](std::size_t part) const { return m_parts[part]; }

private:
    int rootOf(int body);
    void joinBodies(const FlowNetwork& network);
    void divideBodies(const FlowNetwork& network);
    void divideLinks(const FlowNetwork& network);

    std::vector<int> m_parent;
    std::vector<int> m_partOf;
    std::vector<NetworkPart> m_parts;  // the first m_count
    std::size_t m_count = 0;
    bool m_isOne = false;
};

/// The part as a network of its own.
void extract(const FlowNetwork& whole, const NetworkPart& part, FlowNetwork& network);
/// Puts a part's result into that of the whole network, whose vectors have their sizes.
void merge(const NetworkPart& part, const TickResult& tick, TickResult& total);

}  // namespace elasto::flow
