/** The texts of the console stand in catalogues alone, each in every language. */
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'
import { type Catalogue, LANGUAGES } from '../../src/console/texts/catalogue.ts'
import { filesUnder } from './source-texts.ts'

const catalogues = filesUnder('src/console', /-texts\.ts$/)

test.each(catalogues)('%s has every text in every language, with the same places for values', async (path) => {
  const made = (await import(pathToFileURL(path).href)) as Record<string, unknown>
  const all = Object.values(made).filter(isCatalogue)
  expect(all.length).toBeGreaterThan(0)
  for (const catalogue of all) {
    for (const language of LANGUAGES) {
      expect(Object.keys(catalogue[language])).toEqual(Object.keys(catalogue.en))
      for (const [key, text] of Object.entries(catalogue[language])) {
        expect(text.trim(), `${language} ${key}`).toMatch(/./)
        expect(placesOf(text), `${language} ${key}`).toEqual(placesOf(catalogue.en[key] ?? ''))
      }
    }
  }
})

test('nothing that people read stands outside the catalogues', () => {
  const found = filesUnder('src/console', /\.tsx$/).flatMap((path) => looseTexts(path, readFileSync(path, 'utf8')))
  expect(found).toEqual([])
})

test('a text in the code of a page is found, whether it is shown or said', () => {
  const page = '<p title="Two" aria-label={open ? "Three" : x}>One {"Four"} {`Five ${x}`} {x && "Six"}</p>'
  expect(looseTexts('page.tsx', page).map((each) => each.split(' ').at(-1))).toEqual([
    'Two',
    'Three',
    'One',
    'Four',
    'Five',
    'Six',
  ])
})

/** Attributes that people read or hear. */
const READ =
  /^(title|label|description|placeholder|alt|error|children|aria-(label|description|valuetext|roledescription))$/
const HAS_WORD = /\p{L}{2,}/u

interface Node {
  readonly type: string
  readonly [name: string]: unknown
}

/** Texts within elements and in attributes that are read, wherever they stand in an expression of those. */
function looseTexts(path: string, code: string): string[] {
  const { program, errors } = parseSync(path, code, { lang: 'tsx' })
  expect(errors).toEqual([])
  const found: string[] = []
  const visit = (node: Node, isShown: boolean) => {
    const { type } = node
    const texts = type === 'JSXText' || (isShown && type === 'Literal') ? [node['value']] : []
    if (isShown && type === 'TemplateElement') texts.push((node['value'] as { raw: string }).raw)
    for (const text of texts) {
      if (typeof text === 'string' && HAS_WORD.test(text)) found.push(`${path} ${text.trim()}`)
    }
    if (type === 'JSXAttribute') {
      const isRead = READ.test(String((node['name'] as Node)['name']))
      return each(node['value'], isRead)
    }
    const isElement = type === 'JSXElement' || type === 'JSXFragment'
    // What a call or a comparison is given is no text for people.
    const isOther = /^(CallExpression|ArrowFunctionExpression|FunctionExpression|MemberExpression|BinaryExpression)$/
    for (const [name, child] of Object.entries(node)) {
      each(child, name === 'children' && isElement ? true : isShown && name !== 'test' && !isOther.test(type))
    }
  }
  const each = (child: unknown, isShown: boolean): void => {
    if (Array.isArray(child)) for (const one of child) each(one, isShown)
    else if (typeof child === 'object' && child !== null && 'type' in child) visit(child as Node, isShown)
  }
  visit(program as unknown as Node, false)
  return found
}

function isCatalogue(value: unknown): value is Catalogue<string> {
  return typeof value === 'object' && value !== null && 'en' in value && typeof value.en === 'object'
}

function placesOf(text: string): string[] {
  return [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort()
}
