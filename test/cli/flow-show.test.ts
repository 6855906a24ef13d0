import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { flowAround, KIND_EXAMPLES } from '../../scripts/flow-examples.ts'
import { flowShow } from '../../src/cli/flow-show.ts'
import { allEdgesOf } from '../../src/flow/model/edges.ts'
import { readFlow } from '../../src/flow/read/read-flow.ts'

const folder = join(import.meta.dirname, '..', '..', 'flows')
const shipped = readdirSync(folder).filter((name) => name.endsWith('.yaml') && !name.endsWith('.test.yaml'))

const CALLED_BACK =
  'After 2m a caller who can be called back may press 1: their place is kept, and they are called in their turn. ' +
  'Go on with 9 (bye).'
const VOICEMAIL =
  'Nobody can take your call right now. Please leave a message with your name and number after the tone, ' +
  'and press hash at the end.'
const CLOSED = 'Our office is closed now. We are here from Monday to Thursday, nine to five, and on Friday until four.'

function shown(what: Parameters<typeof flowShow>[0], file: string) {
  const lines: string[] = []
  const code = flowShow(what, file, (line) => lines.push(line))
  return { code, text: lines.join('\n') }
}

function shownOf(what: Parameters<typeof flowShow>[0], text: string) {
  const directory = mkdtempSync(join(tmpdir(), 'switchboard-flows-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  writeFileSync(join(directory, 'a.yaml'), text)
  return shown(what, join(directory, 'a.yaml'))
}

describe('switchboard flow diagram', () => {
  test('the front desk: keys and hours on the arrows, failures dotted', () => {
    expect(shown('diagram', join(folder, 'office-hours.yaml'))).toEqual({
      code: 0,
      text: `flowchart TD
  start(["Front desk"]) --> s0
  s0{"open: branch"}
  s1["main: menu"]
  s2["orders: queue"]
  s3["anyone: queue"]
  s4["closed: play"]
  s5["voicemail: record"]
  s6["thanks: play"]
  s7["sorry: play"]
  s8(["bye: hangup"])
  s0 -- "open office" --> s1
  s0 -- "else" --> s4
  s1 -- "0" --> s3
  s1 -- "1" --> s2
  s1 -. "failed" .-> s3
  s2 --> s8
  s2 -- "1: call me back" --> s8
  s2 -. "failed" .-> s5
  s3 --> s8
  s3 -. "failed" .-> s5
  s4 --> s5
  s4 -. "failed" .-> s5
  s5 --> s6
  s5 -. "noInput" .-> s8
  s5 -. "failed" .-> s7
  s6 --> s8
  s6 -. "failed" .-> s8
  s7 --> s8
  s7 -. "failed" .-> s8`,
    })
  })

  test.each(shipped)('%s has a box for every step and an arrow for every way', (name) => {
    const { flow } = readFlow(name, readFileSync(join(folder, name), 'utf8'))
    const { text } = shown('diagram', join(folder, name))
    const steps = [...flow!.steps.values()]
    const arrows = steps.flatMap((step) => allEdgesOf(step, flow!))
    expect(text.match(/^ {2}s\d+[[({]/gm)).toHaveLength(steps.length)
    expect(text.match(/^ {2}s\d+ -.* s\d+$/gm)).toHaveLength(arrows.length)
  })

  test('a condition stands on its arrow, with the signs that Mermaid would read', () => {
    const { text } = shownOf('diagram', flowAround(KIND_EXAMPLES.branch))
    expect(text).toContain('-- "$[?(@.closedDate == null)]" -->')
    expect(text).toContain('-- "has caller.number" -->')
    const ordered = KIND_EXAMPLES.branch.replace('@.closedDate == null', "@.remainingAmount > 0 && @.a == '#'")
    expect(shownOf('diagram', flowAround(ordered)).text).toContain(
      `-- "$[?(@.remainingAmount #62; 0 #38;#38; @.a == '#35;')]" -->`,
    )
  })
})

describe('switchboard flow diagram --svg', () => {
  const attributes = (text: string, tag: RegExp) =>
    [...text.matchAll(tag)].map(([, all]) =>
      Object.fromEntries([...all!.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name, value]) => [name, value])),
    )

  test.each(shipped)('%s: every step and way is drawn, no box covers another, and nothing is cut off', (name) => {
    const { flow } = readFlow(name, readFileSync(join(folder, name), 'utf8'))
    const { code, text } = shown('picture', join(folder, name))
    expect(code).toBe(0)
    const steps = [...flow!.steps.values()]
    const boxes = attributes(text, /<rect class="box" ([^>]*)>/g).map(({ x, y, width, height }) => {
      const [left, top] = [Number(x), Number(y)]
      return { left, top, right: left + Number(width), bottom: top + Number(height) }
    })
    expect([...text.matchAll(/class="name"[^>]*>([^<]*)</g)].map(([, step]) => step)).toEqual(steps.map((s) => s.name))
    expect(boxes).toHaveLength(steps.length)
    const covers = (a: (typeof boxes)[number], b: (typeof boxes)[number]) =>
      a !== b && a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
    expect(boxes.filter((box) => boxes.some((other) => covers(box, other)))).toEqual([])
    expect(text.match(/<path class="arrow/g)).toHaveLength(steps.flatMap((step) => allEdgesOf(step, flow!)).length)
    const [{ width, height }] = attributes(text, /<svg ([^>]*)>/g) as [Record<string, string>]
    const points = [...text.matchAll(/class="arrow[^>]* d="M([^"]*)"/g)].flatMap(([, way]) =>
      way!
        .split(/[LQ ]/)
        .map(Number)
        .flatMap((x, i, all) => (i % 2 === 0 ? [[x, all[i + 1]!] as const] : [])),
    )
    // The drawing stands 24 to the right of the edge, and under the title.
    const corners = [...boxes.map(({ right, bottom }) => [right, bottom] as const), ...points]
    expect(Math.min(...corners.flat())).toBeGreaterThanOrEqual(0)
    expect(Math.max(...corners.map(([x]) => x)) + 24).toBeLessThanOrEqual(Number(width))
    expect(Math.max(...corners.map(([, y]) => y)) + 72).toBeLessThanOrEqual(Number(height))
  })

  test('keys, conditions and failures stand on their arrows; signs of the image language are escaped', () => {
    const ordered = KIND_EXAMPLES.branch.replace('@.closedDate == null', "@.a > 0 && @.b == 'x'")
    const { text } = shownOf('picture', flowAround(ordered))
    expect(text).toContain(">$[?(@.a &#62; 0 &#38;&#38; @.b == 'x')]</text>")
    expect(text).toContain('>has caller.number</text>')
    expect(text).toMatch(/<path class="arrow failure"/)
  })

  test('the picture in the documentation is the one that is drawn', () => {
    const picture = readFileSync(join(folder, '../docs/pictures/front-desk.svg'), 'utf8')
    expect(picture).toBe(`${shown('picture', join(folder, 'office-hours.yaml')).text}\n`)
  })
})

describe('switchboard flow describe', () => {
  test('the front desk in plain sentences', () => {
    const { code, text } = shown('describe', join(folder, 'office-hours.yaml'))
    expect(code).toBe(0)
    expect(text.replace(/revision \w+/, 'revision …')).toBe(`Front desk (office-hours, revision …)
A call begins with 1 (open). It ends with an apology after 15m or 200 steps.
The longest way to a person takes about 5 s and 1 key: open → main → anyone.

1. open
   If the hours "office" are open: go on with 2 (main).
   Otherwise: go on with 5 (closed).

2. main
   The caller hears: "For a new order, press 1. To reach a person, press 0."
   Key 0: go on with 4 (anyone).
   Key 1: go on with 3 (orders).
   The caller has 3 tries.
   In any trouble: go on with 4 (anyone).

3. orders
   The caller waits for an agent of the team orders, at most 5m.
   Every 45s the caller hears their place in the queue and the expected wait, where it is known.
   ${CALLED_BACK}
   Then go on with 9 (bye).
   In any trouble: go on with 6 (voicemail).

4. anyone
   The caller waits for an agent of the team front-desk, at most 3m.
   Then go on with 9 (bye).
   In any trouble: go on with 6 (voicemail).

5. closed
   The caller hears: "${CLOSED}"
   Then go on with 6 (voicemail).
   In any trouble: go on with 6 (voicemail).

6. voicemail
   The caller hears: "${VOICEMAIL}"
   After a tone the caller leaves a message of at most 2m. It ends with 5s of silence or key #.
   The message is for the team front-desk.
   The message is called "message".
   Then go on with 7 (thanks).
   If nothing comes from the caller: go on with 9 (bye).
   In any other trouble: go on with 8 (sorry).

7. thanks
   The caller hears: "Thank you. We will call you back."
   Then go on with 9 (bye).
   In any trouble: go on with 9 (bye).

8. sorry
   The caller hears: "We cannot take a message right now. Please call again later."
   Then go on with 9 (bye).
   In any trouble: go on with 9 (bye).

9. bye
   The caller hears: "Goodbye."
   The call ends.`)
  })

  test('the debtor flow: conditions, text messages and the longest way in words', () => {
    const { text } = shown('describe', join(folder, 'debtor-self-service.yaml'))
    expect(text).toContain('If caseInfo.closedDate is not empty: go on with 19 (closed).')
    expect(text).toContain('receives a text message: "Case ‹caseInfo.caseNumber›: ‹caseInfo.remainingAmount› to pay.')
    expect(text).toContain('pay-text → say-payment → after-text → await-payment → thanks → more-help → team.')
  })

  test('every way of every kind is told, and no secret', () => {
    for (const example of Object.values(KIND_EXAMPLES)) {
      const { flow, problems } = readFlow('a.yaml', flowAround(example))
      expect(problems).toEqual([])
      const { text } = shownOf('describe', flowAround(example))
      for (const step of flow!.steps.values())
        for (const { to } of allEdgesOf(step, flow!)) expect(text).toMatch(new RegExp(`go on with \\d+ \\(${to}\\)`))
      expect(text).not.toMatch(/undefined|\[object|\$\{|caseInfo: Bearer/)
    }
  })
})

test('given a flow with errors, both print the errors', () => {
  const broken = 'flow: a\nstart: b\nsteps: { b: { play: Hi } }\n'
  for (const what of ['diagram', 'describe'] as const) {
    const { code, text } = shownOf(what, broken)
    expect(code).toBe(1)
    expect(text).toMatch(/a\.yaml:3:10 error step "b" has no next step; add next$/)
  }
})
