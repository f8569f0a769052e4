import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'

/** What a page must hold for people who see little, use no mouse, or listen (WCAG 2.2 AA, the parts that a program can judge). Runs in the page. */
const FAULTS = `(() => {
  const faults = []
  const say = (text, element) => faults.push(text + (element ? ': ' + element.outerHTML.slice(0, 120) : ''))
  const all = (selector) => [...document.querySelectorAll(selector)]
  if (!document.documentElement.lang) say('no language')
  if (!document.title.trim()) say('no title')
  for (const [selector, count] of [['h1', 1], ['main', 1], ['meta[name=viewport]', 1], ['script', 0], ['[style]', 0]]) if (all(selector).length !== count) say(all(selector).length + ' of ' + selector)
  all('h1,h2,h3').reduce((level, heading) => { const own = Number(heading.tagName[1]); if (own > level + 1) say('a level is skipped', heading); return own }, 0)
  for (const image of all('img')) if (!image.hasAttribute('alt')) say('no alt', image)
  for (const field of all('input:not([type=hidden]),select,textarea')) {
    if (![...field.labels].some((label) => label.textContent.trim())) say('no label', field)
    const about = (field.getAttribute('aria-describedby') || '').split(' ').filter(Boolean)
    for (const id of about) if (!document.getElementById(id)) say('described by nothing', field)
    const error = field.closest('.field').querySelector('.error')
    if (error && (!about.includes(error.id) || field.getAttribute('aria-invalid') !== 'true')) say('its error is not told', field)
  }
  for (const one of all('a,button')) {
    if (!one.textContent.trim()) say('no name', one)
    const { height, width } = one.getBoundingClientRect()
    if ((height < 24 || width < 24) && getComputedStyle(one).display !== 'inline') say('smaller than 24 pixels', one)
  }
  const { scrollWidth, clientWidth } = document.documentElement
  if (scrollWidth > clientWidth) say('wider than the screen by ' + (scrollWidth - clientWidth))
  const parse = (color) => { const [r, g, b, a = 1] = color.match(/[\\d.]+/g).map(Number); return { rgb: [r, g, b], a } }
  const ground = (element) => { for (let at = element; at; at = at.parentElement) { const { rgb, a } = parse(getComputedStyle(at).backgroundColor); if (a === 1) return rgb } return [255, 255, 255] }
  const light = (rgb) => rgb.map((value) => value / 255).map((value) => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4).reduce((sum, value, i) => sum + value * [0.2126, 0.7152, 0.0722][i], 0)
  const contrast = (a, b) => { const [high, low] = [light(a), light(b)].sort((x, y) => y - x); return (high + 0.05) / (low + 0.05) }
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let text; (text = texts.nextNode());) {
    const element = text.parentElement
    if (!text.data.trim() || !element.getClientRects().length) continue
    const { color, fontSize, fontWeight } = getComputedStyle(element)
    const size = parseFloat(fontSize)
    const least = size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700) ? 3 : 4.5
    const found = contrast(parse(color).rgb, ground(element))
    if (found < least) say('contrast ' + found.toFixed(2), element)
  }
  for (const box of all('.box')) { const found = contrast(parse(getComputedStyle(box).borderTopColor).rgb, ground(box.parentElement)); if (found < 3) say('contrast of a border ' + found.toFixed(2), box) }
  return faults
})()`

/** Outline of whatever has the focus, or of the box around it. */
const RING = `(() => {
  const element = document.activeElement
  if (!element || element === document.body) return null
  const rings = [element, element.closest('.box')].filter(Boolean).map((one) => getComputedStyle(one)).filter(({ outlineStyle, outlineWidth }) => outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2)
  return { ring: rings.length > 0, name: element.id || element.textContent.trim().slice(0, 40) || element.outerHTML.slice(0, 60) }
})()`

export async function assertAccessible(page: Page, name: string): Promise<void> {
  assert.deepEqual(await page.evaluate<string[]>(FAULTS), [], name)
}

/** What the Tab key leads through, in order; each must show that it has the focus. */
export async function tabOrder(page: Page, most = 20): Promise<string[]> {
  const names: string[] = []
  await page.evaluate('document.activeElement.blur()')
  while (names.length < most) {
    await page.keyboard.press('Tab')
    const at = await page.evaluate<{ ring: boolean; name: string } | null>(RING)
    if (!at) break
    assert.ok(at.ring, `${at.name} does not show that it has the focus`)
    names.push(at.name)
  }
  return names
}
