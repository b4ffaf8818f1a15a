"""Checks the contrast of a page's texts by WCAG 2.2."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

# Returns the size, weight and colour of each text, and the colours behind it, nearest first. Texts over pictures, over
# gradients and in transitions are left out, because they have no single background colour.
TEXTS = """() => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const seen = [];
  while (texts.nextNode()) {
    const parent = texts.currentNode.parentElement;
    if (!texts.currentNode.data.trim() || !parent.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    if (parent.closest('.visually-hidden, .skip, option, [inert], .bar, noscript, template')) continue;
    const style = getComputedStyle(parent);
    const under = [];
    let image = false;
    for (let node = parent; node; node = node.parentElement) {
      const behind = getComputedStyle(node);
      if (behind.backgroundImage !== 'none') { image = true; break; }
      under.push(behind.backgroundColor);
    }
    if (image) continue;
    seen.push({ text: texts.currentNode.data.trim().slice(0, 40), color: style.color, under,
      size: parseFloat(style.fontSize), weight: parseInt(style.fontWeight) });
  }
  return seen;
}"""

RGB = """colors => {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  return colors.map(color => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data]; });
}"""


def luminance(color: tuple[float, ...]) -> float:
    """Returns the relative luminance (WCAG 2.2)."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (part / 255 for part in color[:3])]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def over(top: list[float], bottom: tuple[float, ...]) -> tuple[float, ...]:
    alpha = top[3] / 255
    return tuple(alpha * a + (1 - alpha) * b for a, b in zip(top[:3], bottom[:3]))


def read_texts(page: Page, scheme: str) -> tuple[list[dict[str, Any]], list[tuple[str, float]]]:
    """Returns the texts of a page, and those with too low contrast."""
    texts = page.evaluate(TEXTS)
    names = sorted({text["color"] for text in texts} | {color for text in texts for color in text["under"]})
    colors = dict(zip(names, page.evaluate(RGB, names)))
    faint = []
    for text in texts:
        ground: tuple[float, ...] = (255, 255, 255) if scheme == "light" else (0, 0, 0)
        for layer in reversed(text["under"]):
            ground = over(colors[layer], ground)
        ink = over(colors[text["color"]], ground)
        lighter, darker = sorted((luminance(ink), luminance(ground)), reverse=True)
        contrast = (lighter + 0.05) / (darker + 0.05)
        is_large = text["size"] >= 24 or (text["size"] >= 18.66 and text["weight"] >= 700)
        if contrast < (3 if is_large else 4.5):
            faint.append((text["text"], round(contrast, 2)))
    return texts, faint
