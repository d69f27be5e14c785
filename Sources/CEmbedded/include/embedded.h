// Files that are part of the program, which needs no folder beside it: the web pages, the description of the
// service, and the documents that `artworkd explain` prints. The compiler of C embeds them in no time; as Swift literals they took a tenth of the build.
#ifndef ARTWORK_CEMBEDDED_H
#define ARTWORK_CEMBEDDED_H

#include <stddef.h>
#include <stdint.h>

typedef struct __attribute__((swift_attr("@Sendable"))) {
  const uint8_t *bytes;
  size_t count;
} embedded_file;

// Sourc../ArtworkPipeline/Reports/Page
extern const embedded_file embedded_card_js;
extern const embedded_file embedded_curve_js;
extern const embedded_file embedded_overview_js;
extern const embedded_file embedded_player_js;
extern const embedded_file embedded_release_js;
extern const embedded_file embedded_report_css;
extern const embedded_file embedded_report_html;
extern const embedded_file embedded_report_js;
extern const embedded_file embedded_stretch_js;
extern const embedded_file embedded_review_js;
extern const embedded_file embedded_view_js;
// Sources/ArtworkService/Page
extern const embedded_file embedded_controls_js;
extern const embedded_file embedded_icon_svg;
extern const embedded_file embedded_index_html;
extern const embedded_file embedded_lists_js;
extern const embedded_file embedded_page_js;
extern const embedded_file embedded_service_js;
extern const embedded_file embedded_style_css;
// Sources/ArtworkService
extern const embedded_file embedded_openapi_json;
// docs
extern const embedded_file embedded_errors;
extern const embedded_file embedded_rules;
extern const embedded_file embedded_verdicts;

#endif
