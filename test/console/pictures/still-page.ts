/** A page of the console holds still while its picture is taken: what follows clock or chance is the same. */
import type { Page } from 'playwright-core'

const DAY = '(?:[Mm]on|[Tt]ue|[Ww]ed|[Tt]hu|[Ff]ri|[Ss]at|[Ss]un|man|tir|ons|tor|fre|lør|søn)[a-zø]*\\.?,?'
const MONTH =
  '(?:(?:[Jj]an|[Ff]ebr)(?:uary?)?|[Ff]eb|[Mm]ar(?:ch|ts)?|[Aa]pr(?:il)?|May|maj|[Jj]un[ei]?|[Jj]ul[yi]?|' +
  '[Aa]ug(?:ust)?|(?:[Ss]ept|[Nn]ov|[Dd]ec)(?:ember)?|[Ss]ep|[Oo][ck]t(?:ober)?)\\b\\.?'

/**
 * What is different in each run, and what it becomes. The words stay text, so their size, colour and place are
 * compared; a mask would hide them.
 */
const STEADY: readonly (readonly [pattern: string, text: string])[] = [
  // Zones of times: "Times in Europe/Copenhagen".
  ['\\b(?:Africa|America|Antarctica|Asia|Atlantic|Australia|Europe|Indian|Pacific|Etc)/[\\w/+-]+', 'Zone'],
  ['\\bUTC\\b', 'Zone'],
  // Recovery codes and keys of a second factor.
  ['(?:[a-z2-7]{6}-){3}[a-z2-7]{6}', 'aaaaaa-aaaaaa-aaaaaa-aaaaaa'],
  ['^(?:[A-Z2-7]{4} ){7}[A-Z2-7]{4}$', 'AAAA AAAA AAAA AAAA AAAA AAAA AAAA AAAA'],
  // Dates in words, with or without weekday and year, and in figures.
  [`(?:\\b${DAY} (?:den )?)?\\d{1,2}\\.? ${MONTH}(?:,? \\d{4})?`, '1 May 2026'],
  [`(?:\\b${DAY} )?\\b${MONTH} \\d{1,2}\\b(?![:.]\\d)(?:,? \\d{4})?`, '1 May 2026'],
  ['\\b\\d{4}-\\d\\d-\\d\\d\\b|\\b\\d{1,2}[/.]\\d{1,2}[/.]\\d{2,4}\\b', '1/1/26'],
  // Times and durations; Danish has points in its times.
  ['\\b\\d{1,3}[:.]\\d\\d(?:[:.]\\d\\d)?(?:[\\s\\u202f][AP]M)?\\b', '0:00'],
  // Legs of the switch.
  ['\\bsb-leg-[\\w-]+', 'sb-leg-0'],
  // Shares that were computed from times.
  ['\\b\\d{1,3}[.,]\\d(?= ?%)', '50.0'],
]

/** Drawn from times and chance: recordings, minutes of the floor with the figure beside them, the key of a factor. */
const DRAWN = '[role="slider"] > *, svg[role="img"], svg[role="img"] + span[aria-hidden]'

/** Kept on the page: changes are steadied before they are drawn, as observers run before the next frame. */
const HOLD = `(() => {
  const steady = ${JSON.stringify(STEADY)}.map(([pattern, text]) => [new RegExp(pattern, 'gu'), text])
  const said = new Map()
  const hold = (node) => {
    if (said.get(node)?.steady === node.nodeValue || !node.nodeValue.trim()) return
    const text = node.nodeValue
    const becomes = steady.reduce((now, [pattern, to]) => now.replace(pattern, to), text)
    if (becomes === text) return void said.delete(node)
    said.set(node, { text, steady: becomes })
    node.nodeValue = becomes
  }
  const holdAll = (root) => {
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    for (let node = texts.currentNode; node; node = texts.nextNode()) {
      if (node.nodeType === Node.TEXT_NODE && !node.parentElement?.closest('script, style')) hold(node)
    }
  }
  const observer = new MutationObserver((changes) => changes.forEach(({ target, addedNodes }) => {
    if (target.nodeType === Node.TEXT_NODE) hold(target)
    addedNodes.forEach(holdAll)
  }))
  observer.observe(document.body, { subtree: true, childList: true, characterData: true })
  holdAll(document.body)
  const drawn = [...document.querySelectorAll(${JSON.stringify(DRAWN)})]
  for (const { style } of drawn) style.setProperty('visibility', 'hidden')
  globalThis.letGo = () => {
    observer.disconnect()
    for (const { style } of drawn) style.removeProperty('visibility')
    for (const [node, { text, steady: now }] of said) if (node.nodeValue === now) node.nodeValue = text
  }
})()`

/** Whether every font of the page is there, and the one of the console is among them. */
const FONTS = `document.fonts.ready.then((fonts) => fonts.status === 'loaded' &&
  [...fonts].some(({ family, status }) => family.includes('Inter') && status === 'loaded'))`

/** Does this while the page holds still, and lets it go on. */
export async function whileStill<T>(page: Page, look: () => Promise<T>): Promise<T> {
  if (!(await page.evaluate(FONTS))) throw new Error(`the font of the console was not loaded at ${page.url()}`)
  await page.evaluate(HOLD)
  try {
    return await look()
  } finally {
    await page.evaluate('letGo()')
  }
}
