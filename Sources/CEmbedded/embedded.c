#include "embedded.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

#define FILE(name) const embedded_file embedded_##name = {bytes_##name, sizeof bytes_##name}

static const uint8_t bytes_card_js[] = {
#embed "../ArtworkPipeline/Reports/Page/card.js"
};
FILE(card_js);

static const uint8_t bytes_curve_js[] = {
#embed "../ArtworkPipeline/Reports/Page/curve.js"
};
FILE(curve_js);

static const uint8_t bytes_overview_js[] = {
#embed "../ArtworkPipeline/Reports/Page/overview.js"
};
FILE(overview_js);

static const uint8_t bytes_player_js[] = {
#embed "../ArtworkPipeline/Reports/Page/player.js"
};
FILE(player_js);

static const uint8_t bytes_release_js[] = {
#embed "../ArtworkPipeline/Reports/Page/release.js"
};
FILE(release_js);

static const uint8_t bytes_report_css[] = {
#embed "../ArtworkPipeline/Reports/Page/report.css"
};
FILE(report_css);

static const uint8_t bytes_report_html[] = {
#embed "../ArtworkPipeline/Reports/Page/report.html"
};
FILE(report_html);

static const uint8_t bytes_report_js[] = {
#embed "../ArtworkPipeline/Reports/Page/report.js"
};
FILE(report_js);

static const uint8_t bytes_stats_css[] = {
#embed "../ArtworkPipeline/Reports/Page/stats.css"
};
FILE(stats_css);

static const uint8_t bytes_stats_html[] = {
#embed "../ArtworkPipeline/Reports/Page/stats.html"
};
FILE(stats_html);

static const uint8_t bytes_stretch_js[] = {
#embed "../ArtworkPipeline/Reports/Page/stretch.js"
};
FILE(stretch_js);

static const uint8_t bytes_view_js[] = {
#embed "../ArtworkPipeline/Reports/Page/view.js"
};
FILE(view_js);

static const uint8_t bytes_controls_js[] = {
#embed "../ArtworkService/Page/controls.js"
};
FILE(controls_js);

static const uint8_t bytes_icon_svg[] = {
#embed "../ArtworkService/Page/icon.svg"
};
FILE(icon_svg);

static const uint8_t bytes_index_html[] = {
#embed "../ArtworkService/Page/index.html"
};
FILE(index_html);

static const uint8_t bytes_lists_js[] = {
#embed "../ArtworkService/Page/lists.js"
};
FILE(lists_js);

static const uint8_t bytes_page_js[] = {
#embed "../ArtworkService/Page/page.js"
};
FILE(page_js);

static const uint8_t bytes_service_js[] = {
#embed "../ArtworkService/Page/service.js"
};
FILE(service_js);

static const uint8_t bytes_style_css[] = {
#embed "../ArtworkService/Page/style.css"
};
FILE(style_css);

static const uint8_t bytes_openapi_json[] = {
#embed "../ArtworkService/openapi.json"
};
FILE(openapi_json);
