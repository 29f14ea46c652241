// A calm studio: brightest at the horizon, which planes fade into.
#include "frame.glsl"
#include "background.glsl"

in vec2 place;
out vec4 pixel;

void main() {
    vec4 far = inverseViewProjection * vec4(place, 1.0, 1.0);
    pixel = vec4(backgroundOf(normalize(far.xyz / far.w - eye.xyz)), 1.0);
}
