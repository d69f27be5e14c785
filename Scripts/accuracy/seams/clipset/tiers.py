"""How much a label counts."""

LOOPS, MINOR, CLEAR, AMBIGUOUS = 0, 1, 2, -1


def tier(label):
    """0 loops, 1 minor, 2 clear, -1 ambiguous, which counts nowhere."""
    defect, strength, seen = label["defect"], label["strength"], label["clear"]
    if "coding" in label["detail"]:
        return AMBIGUOUS
    if defect in ("seamless", "static"):
        return LOOPS if seen else AMBIGUOUS
    if defect == "reverse" and strength == 1:
        return LOOPS          # a ping-pong turns on purpose
    short = defect == "freeze" and label["family"] != "drawn" and label["detail"]["frames"] <= 0.2 * label["fps"]
    if strength == 1 or defect == "held" or short:
        return MINOR
    if not seen:
        return AMBIGUOUS
    return MINOR if defect in ("pop", "reverse") else CLEAR
