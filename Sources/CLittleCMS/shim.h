#include <lcms2.h>

// Forms of samples, which are macros of macros: R, G, B and, of four channels, alpha, with 8 bits; inks as the light that they
// leave, with 8 bits; linear light.
static inline cmsUInt32Number artwork_samples(int channels) { return channels == 4 ? TYPE_RGBA_8 : TYPE_RGB_8; }
static inline cmsUInt32Number artwork_inks(void) { return TYPE_CMYK_8_REV; }
static inline cmsUInt32Number artwork_light_samples(void) { return TYPE_RGB_FLT; }
