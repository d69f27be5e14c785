#include "embedded.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

#define FILE(name) const embedded_file embedded_##name = {bytes_##name, sizeof bytes_##name}

static const uint8_t bytes_card_js[] = {
#embed "../ArtworkJudging/Reports/Page/card.js"
};
FILE(card_js);

static const uint8_t bytes_curve_js[] = {
#embed "../ArtworkJudging/Reports/Page/curve.js"
};
FILE(curve_js);

static const uint8_t bytes_overview_js[] = {
#embed "../ArtworkJudging/Reports/Page/overview.js"
};
FILE(overview_js);

static const uint8_t bytes_player_js[] = {
#embed "../ArtworkJudging/Reports/Page/player.js"
};
FILE(player_js);

static const uint8_t bytes_release_js[] = {
#embed "../ArtworkJudging/Reports/Page/release.js"
};
FILE(release_js);

static const uint8_t bytes_report_css[] = {
#embed "../ArtworkJudging/Reports/Page/shared.css"
    ,
#embed "../ArtworkJudging/Reports/Page/report.css"
};
FILE(report_css);

static const uint8_t bytes_report_html[] = {
#embed "../ArtworkJudging/Reports/Page/report.html"
};
FILE(report_html);

static const uint8_t bytes_report_js[] = {
#embed "../ArtworkJudging/Reports/Page/report.js"
};
FILE(report_js);

static const uint8_t bytes_review_js[] = {
#embed "../ArtworkJudging/Reports/Page/review.js"
};
FILE(review_js);

static const uint8_t bytes_stretch_js[] = {
#embed "../ArtworkJudging/Reports/Page/stretch.js"
};
FILE(stretch_js);

static const uint8_t bytes_view_js[] = {
#embed "../ArtworkJudging/Reports/Page/view.js"
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
#embed "../ArtworkJudging/Reports/Page/shared.css"
    ,
#embed "../ArtworkService/Page/style.css"
};
FILE(style_css);

static const uint8_t bytes_openapi_json[] = {
#embed "../ArtworkService/openapi.json"
};
FILE(openapi_json);

static const uint8_t bytes_errors[] = {
#embed "../../docs/errors.md"
};
FILE(errors);

static const uint8_t bytes_verdicts[] = {
#embed "../../docs/verdicts.md"
};
FILE(verdicts);

// One page after the other; the linefeed at the end of each separates them.
static const uint8_t bytes_rules[] = {
#embed "../../docs/rules/approval.md" suffix(,)
#embed "../../docs/rules/artwork-id-reuse.md" suffix(,)
#embed "../../docs/rules/aspect-ratio.md" suffix(,)
#embed "../../docs/rules/audio-track.md" suffix(,)
#embed "../../docs/rules/banding.md" suffix(,)
#embed "../../docs/rules/bitrate.md" suffix(,)
#embed "../../docs/rules/blank-first-frame.md" suffix(,)
#embed "../../docs/rules/blockiness.md" suffix(,)
#embed "../../docs/rules/closed-gop.md" suffix(,)
#embed "../../docs/rules/codec.md" suffix(,)
#embed "../../docs/rules/codec-tag.md" suffix(,)
#embed "../../docs/rules/color.md" suffix(,)
#embed "../../docs/rules/complementary.md" suffix(,)
#embed "../../docs/rules/container.md" suffix(,)
#embed "../../docs/rules/decode-cost.md" suffix(,)
#embed "../../docs/rules/dimensions.md" suffix(,)
#embed "../../docs/rules/duplicate-content.md" suffix(,)
#embed "../../docs/rules/duration.md" suffix(,)
#embed "../../docs/rules/fade.md" suffix(,)
#embed "../../docs/rules/fast-start.md" suffix(,)
#embed "../../docs/rules/field-order.md" suffix(,)
#embed "../../docs/rules/file-size.md" suffix(,)
#embed "../../docs/rules/flash.md" suffix(,)
#embed "../../docs/rules/frame-rate.md" suffix(,)
#embed "../../docs/rules/frame-rate-mode.md" suffix(,)
#embed "../../docs/rules/inset-cover.md" suffix(,)
#embed "../../docs/rules/judder.md" suffix(,)
#embed "../../docs/rules/letterbox.md" suffix(,)
#embed "../../docs/rules/loop-gap.md" suffix(,)
#embed "../../docs/rules/loop-seam.md" suffix(,)
#embed "../../docs/rules/lottie-unsupported.md" suffix(,)
#embed "../../docs/rules/pair.md" suffix(,)
#embed "../../docs/rules/pixel-format.md" suffix(,)
#embed "../../docs/rules/play-count.md" suffix(,)
#embed "../../docs/rules/preview-aspect.md" suffix(,)
#embed "../../docs/rules/preview-match.md" suffix(,)
#embed "../../docs/rules/softness.md" suffix(,)
#embed "../../docs/rules/start-offset.md" suffix(,)
#embed "../../docs/rules/static.md" suffix(,)
#embed "../../docs/rules/truncated.md" suffix(,)
};
FILE(rules);
