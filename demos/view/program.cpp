#include "program.h"

#include <epoxy/gl.h>

#include "shader_source.h"
#include "view/error.h"

namespace elasto::view {

namespace {

GLuint compile(GLenum kind, const std::filesystem::path& folder, const std::string& file, const std::string& defines) {
    const ShaderSource source = readShader(folder, file);
    const std::string text = "#version 330 core\n" + defines + source.text;
    const char* begin = text.c_str();
    const GLuint shader = glCreateShader(kind);
    glShaderSource(shader, 1, &begin, nullptr);
    glCompileShader(shader);
    GLint good = GL_FALSE;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
    if (good == GL_TRUE) return shader;
    GLint length = 0;
    glGetShaderiv(shader, GL_INFO_LOG_LENGTH, &length);
    std::string log(static_cast<std::size_t>(length) + 1, '\0');
    glGetShaderInfoLog(shader, length + 1, &length, log.data());
    log.resize(static_cast<std::size_t>(length));
    glDeleteShader(shader);
    throw GraphicsError("the shader '" + (folder / file).string() + "' is defective:\n" + source.named(log));
}

}  // namespace

Program::Program(const std::filesystem::path& folder, const std::string& vertexFile, const std::string& fragmentFile,
                 const std::string& defines)
    : m_program(glCreateProgram()) {
    try {
        for (const auto& [kind, file] :
             {std::pair{GLenum{GL_VERTEX_SHADER}, vertexFile}, std::pair{GLenum{GL_FRAGMENT_SHADER}, fragmentFile}}) {
            const GLuint shader = compile(kind, folder, file, defines);
            glAttachShader(m_program, shader);
            glDeleteShader(shader);
        }
    } catch (...) {
        glDeleteProgram(m_program);
        throw;
    }
    glLinkProgram(m_program);
    GLint good = GL_FALSE;
    glGetProgramiv(m_program, GL_LINK_STATUS, &good);
    if (good != GL_TRUE) {
        GLint length = 0;
        glGetProgramiv(m_program, GL_INFO_LOG_LENGTH, &length);
        std::string log(static_cast<std::size_t>(length) + 1, '\0');
        glGetProgramInfoLog(m_program, length + 1, &length, log.data());
        log.resize(static_cast<std::size_t>(length));
        glDeleteProgram(m_program);
        throw GraphicsError("the shaders '" + (folder / vertexFile).string() + "' and '" + fragmentFile +
                            "' do not fit together:\n" + log);
    }
    const GLuint block = glGetUniformBlockIndex(m_program, "Frame");
    if (block != GL_INVALID_INDEX) glUniformBlockBinding(m_program, block, 0);
}

Program::~Program() {
    glDeleteProgram(m_program);
}

void Program::use() const {
    glUseProgram(m_program);
}

void Program::setSampler(const char* name, int unit) const {
    glUniform1i(glGetUniformLocation(m_program, name), unit);
}

void Program::setVector(const char* name, float x, float y, float z, float w) const {
    glUniform4f(glGetUniformLocation(m_program, name), x, y, z, w);
}

}  // namespace elasto::view
