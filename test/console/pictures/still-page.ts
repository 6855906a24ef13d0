/** A page of the console holds still while its picture is taken: what follows clock or chance is the same. */
import type { Page } from 'playwright-core'

const DAY = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,?'
const MONTH =
  '(?:(?:Jan|Febr)(?:uary)?|Feb|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|' +
  'Aug(?:ust)?|(?:Sept|Nov|Dec)(?:ember)?|Sep|Oct(?:ober)?)\\b'

/**
 * What is different in each run, and what it becomes. The words stay text, so their size, colour and place are
 * compared; a mask would hide them.
 */
const STEADY: readonly (readonly [pattern: string, text: string])[] = [
  // Zones of times: "Times in Europe/Copenhagen".
  ['\\b(?:Africa|America|Antarctica|Asia|Atlantic|Australia|Europe|Indian|Pacific|Etc)/[\\w/+-]+', 'Zone'],
  ['\\bUTC\\b', 'Zone'],
  // Dates in words, with or without weekday and year, and in figures.
  [`(?:\\b${DAY} )?\\d{1,2} ${MONTH}(?:,? \\d{4})?`, '1 May 2026'],
  [`(?:\\b${DAY} )?\\b${MONTH} \\d{1,2}\\b(?![:.]\\d)(?:,? \\d{4})?`, '1 May 2026'],
  ['\\b\\d{4}-\\d\\d-\\d\\d\\b|\\b\\d{1,2}[/.]\\d{1,2}[/.]\\d{2,4}\\b', '1/1/26'],
  // Times and durations.
  ['\\b\\d{1,3}:\\d\\d(?::\\d\\d)?(?:[\\s\\u202f][AP]M)?\\b', '0:00'],
  // Shares that were computed from times.
  ['\\b\\d{1,3}[.,]\\d(?= ?%)', '50.0'],
]

/** Drawn from times: recordings, minutes of the floor with the figure beside them. */
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

/** Two frames: what was changed is laid out in the first, and drawn by the second. */
const FRAMES = 'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))'

/** Does this while the page holds still, and lets it go on. `take` is a screenshot of what is drawn, without caret. */
export async function whileStill(page: Page, look: (take: () => Promise<Buffer>) => Promise<void>): Promise<void> {
  if (!(await page.evaluate(FONTS))) throw new Error(`the font of the console was not loaded at ${page.url()}`)
  await page.evaluate(HOLD)
  try {
    await look(async () => {
      await page.evaluate(FRAMES)
      return await page.screenshot({ animations: 'disabled' })
    })
  } finally {
    await page.evaluate('letGo()')
  }
}
