#include "tick/callback_queue.h"

#include <algorithm>
#include <tuple>

#include "network/element_access.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

void CallbackQueue::add(ForceElement& element, const ContactEvent& event) {
    if (!ElementAccess::contactCallback(element, event.begin)) return;
    m_contacts.push_back({&element, nullptr, event.begin, {event.time, event.speed}, m_contacts.size()});
}

void CallbackQueue::add(MultiBodyElement& element, const ContactEvent& event) {
    if (!ElementAccess::contactCallback(element, event.begin)) return;
    m_contacts.push_back({nullptr, &element, event.begin, {event.time, event.speed}, m_contacts.size()});
}

void CallbackQueue::forget(const ForceElement& element) {
    for (Contact& contact : m_contacts) {
        if (contact.element == &element) contact.element = nullptr;
    }
}

void CallbackQueue::forget(const MultiBodyElement& element) {
    for (Contact& contact : m_contacts) {
        if (contact.multiBodyElement == &element) contact.multiBodyElement = nullptr;
    }
}

void CallbackQueue::clear() {
    m_contacts.clear();
    m_called = 0;
    m_deferred.clear();
}

void CallbackQueue::run(std::function<void(const std::string&)> handler) {
    std::vector<std::string> messages;
    messages.swap(m_messages);
    for (const std::string& message : messages) {
        if (handler) handler(message);
    }
    callContacts();
    callDeferred();
}

void CallbackQueue::callContacts() {
    // What was called before one of them threw stays in front.
    std::sort(m_contacts.begin() + static_cast<std::ptrdiff_t>(m_called), m_contacts.end(),
              [](const Contact& x, const Contact& y) {
                  return std::tie(x.info.time, x.order) < std::tie(y.info.time, y.order);
              });
    // A copy of each: the callback may delete the element, and itself with it.
    const auto call = [](auto& element, const Contact& contact) {
        const auto callback = ElementAccess::contactCallback(element, contact.begins);
        if (callback) callback(element, contact.info);
    };
    while (m_called < m_contacts.size()) {
        const Contact contact = m_contacts[m_called++];
        if (contact.element != nullptr) {
            call(*contact.element, contact);
        } else if (contact.multiBodyElement != nullptr) {
            call(*contact.multiBodyElement, contact);
        }
    }
    m_contacts.clear();
    m_called = 0;
}

// What these defer runs after the next tick, and so does what stands behind one that throws.
void CallbackQueue::callDeferred() {
    std::vector<std::function<void()>> deferred;
    deferred.swap(m_deferred);
    for (std::size_t i = 0; i < deferred.size(); ++i) {
        try {
            deferred[i]();
        } catch (...) {
            m_deferred.insert(m_deferred.begin(), deferred.begin() + static_cast<std::ptrdiff_t>(i + 1),
                              deferred.end());
            throw;
        }
    }
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
