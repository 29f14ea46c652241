#pragma once
// Whether sanitizers look on: they own the allocator and make every access dear.

namespace elasto::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define ELASTO_TEST_IS_SANITIZED 1  // GCC
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define ELASTO_TEST_IS_SANITIZED 1  // Clang
#endif
#endif

#ifdef ELASTO_TEST_IS_SANITIZED
inline constexpr bool kIsSanitized = true;
#else
inline constexpr bool kIsSanitized = false;
#endif

}  // namespace elasto::test
