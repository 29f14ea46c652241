// Bodies and springs: lamp with shadow, light from all around, reflections of a simple studio.
#include "frame.glsl"
#include "shadow.glsl"

in vec3 worldPosition;
in vec3 worldNormal;
in vec3 bodyPosition;
flat in vec4 surfaceColor;
flat in vec4 surfaceMaterial;

out vec4 pixel;

// What a mirror would show in a direction: floor, horizon, sky, and a broad lamp overhead.
vec3 studio(vec3 direction, float roughness) {
    float height = dot(direction, vertical.xyz);
    float blur = mix(0.08, 0.6, roughness);
    vec3 around = mix(0.55 * floorLight.rgb, sky.rgb * mix(1.15, 0.85, clamp(height, 0.0, 1.0)),
                      smoothstep(-blur, blur, height));
    float box = smoothstep(0.80 - blur, 0.80 + blur, dot(direction, lamp.xyz));
    return vertical.w * around + 0.9 * lamp.w * box * (1.0 - 0.6 * roughness);
}

// Sharp highlight of the lamp (GGX).
float highlightOf(vec3 normal, vec3 view, float roughness) {
    vec3 middle = normalize(lamp.xyz + view);
    float a = roughness * roughness;
    float nm = max(dot(normal, middle), 0.0);
    float d = nm * nm * (a * a - 1.0) + 1.0;
    float lv = max(dot(lamp.xyz, middle), 0.1);
    return a * a / (4.0 * d * d * lv * lv * (roughness + 0.5));
}

// Keeps colours as they are written, up to bright highlights, which run out softly.
vec3 develop(vec3 light) {
    const float kKnee = 0.80;
    vec3 over = max(light - kKnee, 0.0);
    return min(light, kKnee) + (1.0 - kKnee) * over / (over + 1.0 - kKnee);
}

void main() {
    vec3 view = normalize(eye.xyz - worldPosition);
    vec3 normal = normalize(worldNormal);
    if (dot(normal, view) < 0.0 && !gl_FrontFacing) normal = -normal;

    vec3 base = surfaceColor.rgb;
    float specular = surfaceMaterial.x;
    float glow = surfaceMaterial.z;
    if (surfaceMaterial.w == 1.0) {
        // Quarters, with an edge one pixel wide.
        vec2 edge = bodyPosition.xy / max(fwidth(bodyPosition.xy), vec2(1e-6));
        vec2 side = clamp(edge, -1.0, 1.0);
        base = base * mix(1.0, 0.45, 0.5 + 0.5 * side.x * side.y);
    }

    float facing = dot(normal, lamp.xyz);
    float lit = facing > 0.0 ? facing * lampLight(worldPosition, normal) : 0.0;
    float height = dot(normal, vertical.xyz);
    vec3 around = mix(0.40 * floorLight.rgb, sky.rgb, 0.5 + 0.5 * height);
    float toViewer = max(dot(normal, view), 0.0);
    vec3 diffuse = base * (vertical.w * 0.60 * around + 0.06 * toViewer + lamp.w * vec3(0.78, 0.765, 0.74) * lit);

    float roughness = mix(0.75, 0.24, specular);
    float mirror = mix(min(0.02, specular), 0.24, specular * specular);
    float fresnel = mirror + (max(1.0 - roughness, mirror) - mirror) * pow(1.0 - toViewer, 5.0);
    float open = 0.35 + 0.65 * clamp(lit * 4.0, 0.0, 1.0);
    vec3 reflected = studio(reflect(-view, normal), roughness) * fresnel * open;
    vec3 sharp = vec3(lit * lamp.w * specular * 0.30 * highlightOf(normal, view, roughness));
    vec3 light = diffuse * (1.0 - fresnel) + reflected + sharp;

    if (surfaceMaterial.w == 2.0 && glow > 0.0) {
        // A stop face heats up from its middle: dark red, orange, nearly white.
        vec2 from = bodyPosition.xy * bodyPosition.xy;
        float middle = 1.0 - 0.45 * smoothstep(0.2, 1.0, sqrt(length(from)));
        float heat = glow * middle;
        vec3 ember = mix(vec3(0.75, 0.05, 0.01), vec3(1.0, 0.36, 0.03), smoothstep(0.0, 0.6, heat));
        ember = mix(ember, vec3(1.0, 0.86, 0.55), smoothstep(0.55, 1.0, heat));
        light = mix(light, ember, smoothstep(0.0, 0.25, heat));
    }
    if (surfaceMaterial.y > 0.0) {
        float rim = pow(1.0 - toViewer, 2.0);
        light = mix(light, accent.rgb, surfaceMaterial.y * (0.22 + 0.78 * rim));
    }
    pixel = vec4(develop(light), surfaceColor.a);
}
