#pragma once
// What the user is told at the end of a tick, when he may do what he likes: messages, contacts, and what he has put
// off.

#include <elasto/force_element.h>
#include <elasto/multibody_element.h>

#include <functional>
#include <string>
#include <vector>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

class CallbackQueue {
public:
    /// A contact of an element, if somebody wants to know.
    void add(ForceElement& element, const ContactEvent& event);
    void add(MultiBodyElement& element, const ContactEvent& event);
    void say(std::string message) { m_messages.push_back("elasto: " + std::move(message)); }
    void defer(std::function<void()> function) { m_deferred.push_back(std::move(function)); }

    /// It is being deleted, or is another world's now.
    void forget(const ForceElement& element);
    void forget(const MultiBodyElement& element);
    void clear();

    /// Messages, then contacts in the order of time, then what was deferred. Where one of them throws, those behind it
    /// are called by the next run.
    void run(std::function<void(const std::string&)> handler);

private:
    struct Contact {
        ForceElement* element;  // null: deleted meanwhile, or the other
        MultiBodyElement* multiBodyElement;
        bool begins;
        ContactInfo info;
        std::size_t order;  // of those at the same time
    };

    void callContacts();
    void callDeferred();

    std::vector<std::string> m_messages;
    std::vector<Contact> m_contacts;
    std::size_t m_called = 0;  // of them
    std::vector<std::function<void()>> m_deferred;
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
