/** Keys that are pressed on a page, and what a person sees after each: for walks by the keyboard alone. */
import type { Page } from 'playwright-core'

/** Put in before the page: notes every use of a mouse or a finger, through reloads. A layout that moves is no use. */
const NOTES_TOUCH = `for (const what of ['mousedown', 'pointerdown', 'touchstart', 'wheel'])
  addEventListener(what, () => sessionStorage.setItem('touched', what), true)`

/**
 * What is wrong with what has the focus, in words; empty: nothing. Where nothing has it there is nothing to press. It
 * is shown by an outline of the control or of its label, or by the border of a field in the colour of the focus.
 */
const FOCUS_FAULT = `(async () => {
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
  await Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => {})))
  const one = document.activeElement
  if (!one || one === document.body) return ''
  const name = one.tagName + ' ' + (one.getAttribute('aria-label') ?? one.textContent ?? '').trim().slice(0, 40)
  const { left, top, right, bottom, width, height } = one.getBoundingClientRect()
  if (width < 1 || height < 1) return name + ' has no size'
  const middle = (from, to, most) => (Math.max(0, from) + Math.min(most, to)) / 2
  const over = document.elementFromPoint(middle(left, right, innerWidth), middle(top, bottom, innerHeight))
  const label = one.closest('label')
  if (!over || !(one.contains(over) || over.contains(one) || label?.contains(over))) return name + ' cannot be seen'
  const isOutlined = (each) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(each)
    return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1
  }
  const probe = document.createElement('i')
  probe.style.color = 'var(--sb-accent)'
  document.body.append(probe)
  const isBordered = getComputedStyle(one).borderTopColor === getComputedStyle(probe).color
  probe.remove()
  return isBordered || isOutlined(one) || (label && isOutlined(label)) ? '' : name + ' does not show the focus'
})()`

export type KeyboardWalk = Awaited<ReturnType<typeof keyboardWalk>>

/** Watches a page that has shown nothing yet. */
export async function keyboardWalk(page: Page) {
  await page.addInitScript(NOTES_TOUCH)
  const faults: string[] = []
  const rows: string[] = []
  const press = async (...pressed: readonly string[]) => {
    for (const key of pressed) {
      if (key.startsWith('"')) await page.keyboard.type(key.slice(1, -1))
      else await page.keyboard.press(key)
      const fault = String(await page.evaluate(FOCUS_FAULT))
      if (fault) faults.push(`${key}: ${fault}`)
    }
  }
  return {
    /** What was wrong with the focus after a key. */
    faults,
    /** The rows of the table of tasks and keys, in the order in which they were done. */
    rows,
    /** Presses keys, as playwright names them; a text in quotes is typed. */
    press,
    /** Notes a row of the table, and presses its keys. */
    async task(name: string, ...pressed: readonly string[]): Promise<void> {
      rows.push(rowOf(name, pressed))
      await press(...pressed)
    },
    /** What was used beside the keyboard; null: nothing was. */
    touched: () => page.evaluate("sessionStorage.getItem('touched')"),
  }
}

function rowOf(name: string, pressed: readonly string[]): string {
  const texts = pressed.filter((key) => key.startsWith('"')).length
  const shown = pressed.map((key) =>
    key.startsWith('"') ? '*the text*' : `\`${key.replace('Control', 'Ctrl').replace('Escape', 'Esc')}\``,
  )
  const count = `${pressed.length - texts}${texts > 0 ? ' + the text' : ''}`
  return `| ${name} | ${shown.join(' ') || '–'} | ${count} |`
}
