#pragma once
#include <filesystem>
#include <string>

namespace elasto::view {

/// A vertex and a fragment shader, linked. Its uniform block Frame is at binding point 0.
class Program {
public:
    /// \param defines lines put before both shaders
    /// \throws GraphicsError naming file and line of what is missing or defective
    Program(const std::filesystem::path& folder, const std::string& vertexFile, const std::string& fragmentFile,
            const std::string& defines = "");
    ~Program();
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    void use() const;
    /// Texture unit of a sampler. The program must be in use, here and below.
    void setSampler(const char* name, int unit) const;
    void setVector(const char* name, float x, float y, float z, float w) const;

private:
    unsigned m_program = 0;
};

}  // namespace elasto::view
