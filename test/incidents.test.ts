/** `docs/incidents.md` has the words of the log, of `/readyz` and of the commands: who looks for them finds them. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const page = readFileSync(join(root, 'docs/incidents.md'), 'utf8')
const spans = [...page.replaceAll(/```.*?```/gs, '').matchAll(/`([^`\n]+)`/g)].map(([, span]) => span!)

const sourcesOf = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.startsWith('console/'))
    .map((name) => readFileSync(join(root, folder, name), 'utf8'))
/** Sentences in one piece, with `…` for values. */
const said = [...sourcesOf('src'), ...sourcesOf('asterisk')]
  .join('\n')
  .replaceAll(/['`]\s*\+\s*['`]/g, '')
  .replaceAll(/\$\{[^}]*\}(?:\)\})?/g, '…')

const isWords = (span: string) => /^[A-Za-z][\w,;:’'"().…-]*( [\w,;:’'"().…-]+){2,}$/.test(span)
const sentences = spans.filter((span) => isWords(span) && !/^(npm|kill|curl) /.test(span))

describe('the page about incidents', () => {
  test('quotes more than a few sentences', () => {
    expect(sentences.length).toBeGreaterThan(25)
  })

  test.each(sentences)('%s', (sentence) => {
    const pattern = sentence
      .replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll(/"[\w-]+"/g, '"…"')
      .replaceAll(/\d+/g, '(?:\\d+|…)')
    expect(new RegExp(pattern).test(said) || said.includes(sentence)).toBe(true)
  })

  test('names operations that there are', () => {
    const client = sourcesOf('src/client').join('\n')
    const asked = spans.flatMap((span) => /^(GET|POST|PUT|PATCH|DELETE) [^?\s]+/.exec(span)?.[0] ?? [])
    expect(asked.length).toBeGreaterThan(8)
    expect(asked.filter((operation) => !client.includes(`'${operation}'`))).toEqual([])
  })
})
