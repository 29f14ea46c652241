#pragma once
// The classes of Bullet's objects, also where a user derived from one in a program that is compiled with -fno-rtti:
// typeid and dynamic_cast would crash there.

#include <type_traits>
#include <typeinfo>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// What classOf says of an object whose class was compiled with -fno-rtti.
struct ClassWithoutTypeInformation {};

/// False for an object whose class was compiled with -fno-rtti: its vtable, by the Itanium ABI, has null in the place
/// of the type before its first function. Elsewhere it is not known, and taken for true.
template <class T>
bool hasTypeInformation(const T& object) {
    static_assert(std::is_polymorphic_v<T>);
#if defined(__GXX_ABI_VERSION)
    return (*reinterpret_cast<const void* const* const*>(&object))[-1] != nullptr;
#else
    static_cast<void>(object);
    return true;
#endif
}

/// typeid(object)
template <class T>
const std::type_info& classOf(const T& object) {
    return hasTypeInformation(object) ? typeid(object) : typeid(ClassWithoutTypeInformation);
}

/// dynamic_cast; null where the object's class is not known.
template <class Pointer, class T>
Pointer castTo(T* object) {
    return object != nullptr && hasTypeInformation(*object) ? dynamic_cast<Pointer>(object) : nullptr;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
