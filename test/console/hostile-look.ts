/** What a page of hostile texts is looked at for, in the page itself. */

/**
 * Everything that is shown or said, and that a name may have changed: scripts that ran, letters that hide or turn
 * others, a page that is wider than its window, buttons that something lies over, an element that no name may make.
 */
export const LOOK = `(() => {
  const wrong = [...globalThis.ran]
  scrollTo(0, 0)
  const texts = []
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walk.nextNode()) {
    const { parentElement, data } = walk.currentNode
    if (!parentElement.closest('script, style, textarea')) texts.push(data)
  }
  for (const one of document.querySelectorAll('*')) {
    for (const { name, value } of one.attributes) {
      const leads = /^(href|src|action|formaction|srcdoc|data)$/.test(name) &&
        /^\\W*(javascript|data|vbscript):/i.test(value)
      if (name.startsWith('on') || leads) wrong.push('attribute ' + name + '=' + value)
      if (/^(aria-|title|alt|placeholder)/.test(name)) texts.push(value)
    }
  }
  for (const text of texts) {
    const hidden =
      /(?![\\n\\t\\ufe00-\\ufe0f\\u200c\\u200d])[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}]/u
    if (hidden.test(text))
      wrong.push('hidden letters in ' + JSON.stringify(text.slice(0, 200)))
    if (/\\p{M}{7}/u.test(text)) wrong.push('a tower of marks in ' + JSON.stringify(text.slice(0, 60)))
  }
  for (const one of document
    .querySelectorAll('img:not([alt=""]), iframe, object, embed, base, meta[http-equiv], math, marquee'))
    wrong.push('an element ' + one.outerHTML)
  if (document.documentElement.scrollWidth > innerWidth) {
    const wide = [...document.querySelectorAll('body *')]
      .filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
    const last = wide.slice(-3).map((one) => one.outerHTML.slice(0, 200)).join(' and ')
    wrong.push('the page is ' + document.documentElement.scrollWidth + ' wide, by ' + last)
  }
  const isClipped = (one, x, y) => {
    for (let box = one.parentElement; box; box = box.parentElement) {
      if (getComputedStyle(box).overflowY === 'visible') continue
      const { left, top, right, bottom } = box.getBoundingClientRect()
      if (x < left || x > right || y < top || y > bottom) return true
    }
    return false
  }
  // What is below an open dialog is not for use.
  const top = document.querySelector('dialog[open], [role=dialog]') ?? document
  for (const button of top.querySelectorAll('button, a[href], select, input')) {
    const { left, top, width, height } = button.getBoundingClientRect()
    const [x, y] = [left + width / 2, top + height / 2]
    if (width < 2 || y < 0 || y >= innerHeight || button.closest('[class*=skip], [class*=hidden]')) continue
    // What scrolls in a box of its own, or below the rail of a small window, is reached by scrolling.
    const found = document.elementFromPoint(x, y)
    if (isClipped(button, x, y) || (!button.closest('nav') && found?.closest('nav'))) continue
    const isLabel = found?.closest('label')?.contains(button)
    const isFree = found && (button.contains(found) || isLabel || found.contains(button))
    const name = (button.textContent || button.ariaLabel || button.type || '').slice(0, 60)
    if (x >= innerWidth || !isFree) wrong.push('covered: ' + name + ' by ' + found?.outerHTML.slice(0, 200))
  }
  const values = [...document.querySelectorAll('textarea')].map(({ value }) => value)
  const numbers = [...texts, ...values].flatMap((text) => [...text.matchAll(/#(\\d+);/g)].map(([, number]) => number))
  return { numbers, wrong: [...new Set(wrong)] }
})()`
