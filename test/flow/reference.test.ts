/** The reference of the language: made from what the engine reads, with examples that the linter accepts. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  FILE_EXAMPLE,
  FILTER_MEANINGS,
  flowAround,
  KIND_EXAMPLES,
  VARIABLE_EXAMPLES,
} from '../../scripts/flow-examples.ts'
import { flowReferenceText } from '../../scripts/flow-reference.ts'
import { STEP_KIND_NAMES, STEP_KINDS } from '../../src/flow/model/kinds.ts'
import { problemsOf } from './read/problems-of.ts'

const page = readFileSync(new URL('../../docs/flow-reference.md', import.meta.url), 'utf8')

/** Of the rows under a heading: the keys at its first level. */
function keysUnder(heading: string): string[] {
  const section = page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`))!
  return [...section.matchAll(/^\| `(\w+)` \| .* \| .* \| .* \|$/gm)].map(([, key]) => key!)
}

test('the page is made from the schema of the reader (npm run generate:flow-schema)', () => {
  expect(page).toBe(flowReferenceText())
})

describe('every example is a flow without problems', () => {
  const known = { whyNoRecording: () => undefined }

  test.each(STEP_KIND_NAMES)('%s, and it uses every key and failure', (kind) => {
    const example = KIND_EXAMPLES[kind]
    expect(page).toContain(`\`\`\`yaml\n${example}\n\`\`\``)
    expect(problemsOf(flowAround(example), known)).toEqual([])
    for (const key of [kind, ...keysUnder(kind), ...STEP_KINDS[kind].ends])
      expect(example).toMatch(new RegExp(`\\b${key}:`))
  })

  test('the whole file, and it uses every key of the file and of a prompt', () => {
    expect(problemsOf(FILE_EXAMPLE, known)).toEqual([])
    const keys = [...keysUnder('The file'), ...keysUnder('Pieces of a prompt')]
    expect(keys.length).toBeGreaterThan(20)
    for (const key of keys) expect(FILE_EXAMPLE).toMatch(new RegExp(`\\b${key}:`))
  })

  const inTexts = [
    ...Object.entries(VARIABLE_EXAMPLES),
    ...Object.entries(FILTER_MEANINGS).map(([name, [, text]]) => [name, text]),
  ]
  test.each(inTexts)('%s: %s', (name, text) => {
    const step =
      name === 'secret'
        ? `ask:\n  http: { get: "https://x.example/", auth: ${text} }\n  next: after\n  on: { failed: sorry }`
        : `say:\n  set: { text: ${text} }\n  next: after`
    expect(problemsOf(flowAround(step))).toEqual([])
  })
})
