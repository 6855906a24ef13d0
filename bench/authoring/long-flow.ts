/** Steps after each other: each five ask, look up and decide, and the failures of all lead to one. */
const FIVE: readonly ((at: number) => string)[] = [
  (at) => `play: This is part ${at} of a long call.\n    next: s${at + 1}`,
  (at) => `gather: { prompt: Please type a number., digits: 3, tries: 2 }\n    as: n${at}\n    next: s${at + 1}`,
  (at) => `http: { get: "https://a.test/case/\${n${at - 1}}", expect: { required: [open] } }
    as: found${at}\n    next: s${at + 1}`,
  (at) => `branch: { in: found${at - 1}, cases: [{ when: "$[?(@.open == true)]", next: s${at + 1} }], else: bye }`,
  (at) => `menu: { prompt: To go on press 1. To end press 2., keys: { "1": s${at + 1}, "2": bye }, tries: 2 }`,
]
const FAILURES: readonly string[] = [
  '',
  'noInput: bye, invalid: bye',
  'notFound: bye',
  '',
  'noInput: bye, invalid: bye',
]

/** A flow of so many steps, in YAML: a multiple of five. */
export function longFlow(steps: number): string {
  const parts = Array.from({ length: steps - 1 }, (_, at) => {
    const on = FAILURES[at % FIVE.length]
    const text = `  s${at}:\n    ${FIVE[at % FIVE.length]!(at)}\n${on ? `    on: { ${on} }\n` : ''}`
    return at === steps - 2 ? text.replaceAll(`s${at + 1}`, 'bye') : text
  })
  return `flow: long\nstart: s0\nonError: bye\nsteps:\n${parts.join('')}  bye: { hangup: { say: Goodbye. } }\n`
}
