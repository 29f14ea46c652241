// One object: struct Instance in demos/view/batches.h.
layout(location = 0) in vec3 vertexPosition;
layout(location = 1) in vec3 vertexNormal;
layout(location = 2) in vec4 rotation;  // quaternion
layout(location = 3) in vec4 placement;  // position, bevel
layout(location = 4) in vec4 extent;     // half size, pattern
layout(location = 5) in vec4 color;      // linear, opacity
layout(location = 6) in vec4 material;   // specularCoefficient, highlight, glow, windings

out vec3 worldPosition;
out vec3 worldNormal;
out vec3 bodyPosition;  // in half sizes
flat out vec4 surfaceColor;
flat out vec4 surfaceMaterial;  // specularCoefficient, highlight, glow, pattern

vec3 turn(vec3 v) { return v + 2.0 * cross(rotation.xyz, cross(rotation.xyz, v) + rotation.w * v); }

void putOut(vec3 position, vec3 normal) {
    worldPosition = placement.xyz + turn(position);
    worldNormal = turn(normal);
    surfaceColor = color;
    surfaceMaterial = vec4(material.xyz, extent.w);
    gl_Position = viewProjection * vec4(worldPosition, 1.0);
}
