/** Import and campaign settings: what the reference shows is what the service accepts, and it reads more than that. */
import type { TObject, TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { closed } from '../openapi/closed-schema.ts'
import { CAMPAIGN, type DialerWorld, debtor, importOf, openDialerWorld, SETTINGS } from './dialer-world.ts'

let world: DialerWorld
let shown: (path: string) => TObject
beforeAll(async () => {
  world = await openDialerWorld()
  const { body } = await world.call('GET', '/openapi.json', undefined, { as: null })
  shown = (path) => closed(body.paths[path].post.requestBody.content['application/json'].schema) as TObject
})
afterAll(() => world.close())

describe('an import', () => {
  test('with every field of the reference is accepted whole', async () => {
    const task = debtor(1, {
      properties: [{ emprId: 5, value: '99.50', addToCallTaskName: true }],
      validFrom: '2020-01-01T00:00:00Z',
      validTo: '2090-01-01T00:00:00+02:00',
      priority: -100,
      language: 'et',
    })
    const body = { ...importOf([task]), priority: 100 }
    const schema = shown('/svcdialer/calltaskimport')
    expect(Value.Errors(schema, body)).toEqual([])
    expect([Object.keys(body).sort(), Object.keys(task).sort()]).toEqual([
      Object.keys(schema.properties).sort(),
      Object.keys((schema.properties['callTasks'] as TSchema & { items: TObject }).items.properties).sort(),
    ])
    const answer = await world.call('POST', '/svcdialer/calltaskimport?returnImportedCallTasks=true', body)
    expect(answer.body).toMatchObject({ callTaskErrors: [], importedCount: 1, callTasks: [{ priority: -100 }] })
  })

  test('of a client that writes ids as texts, texts as numbers, nulls and a single property is accepted', async () => {
    const properties = { emprId: '5', value: 12, addToCallTaskName: null }
    const task = { ...debtor(2), extCustId: 4_711, systemLookupCode: null, properties, validTo: null, priority: null }
    const answer = await world.importTasks([task], { callCode: String(CAMPAIGN), priority: null, unheardOf: 1 })
    expect(answer).toMatchObject({ status: 200, body: { callTaskErrors: [], importedCount: 1 } })
  })

  test.each([
    ['callCode', 'seven', 6],
    ['callTasks', 'none', 11],
    ['maxCallAttempts', '3', 8],
    ['minCallIntervalHours', null, 9],
  ])('whose %s is %j is refused by its code, not by a schema', async (name, value, code) => {
    const schema = shown('/svcdialer/calltaskimport')
    const body = { ...importOf([debtor(3)]), [name]: value }
    expect(Value.Check(schema, body)).toBe(false)
    const answer = await world.call('POST', '/svcdialer/calltaskimport', body)
    expect([answer.status, answer.body.statusCode]).toEqual([400, code])
  })
})

/** A schema of a setting without `null`. */
interface Setting {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
}

describe('a campaign', () => {
  /** Status of a change of this one setting. */
  const statusOf = async (name: string, value: unknown) => {
    const body = { callCode: CAMPAIGN, ...SETTINGS, [name]: value }
    const { status } = await world.call('POST', '/dialer/callcode', body)
    return [name, value, Value.Check(shown('/dialer/callcode'), body), status]
  }

  test('takes every word and every number that the reference shows for a setting, and null, and no other', async () => {
    const settings = Object.entries(shown('/dialer/callcode').properties).flatMap(([name, field]) => {
      const [setting, none] = ((field as { anyOf?: readonly Setting[] }).anyOf ?? []) as readonly Setting[]
      return setting && none?.type === 'null' ? [[name, setting] as const] : []
    })
    const isNumber = ({ type }: Setting) => type === 'integer' || type === 'number'
    const simple = settings.filter(([, setting]) => setting.enum || isNumber(setting) || setting.type === 'boolean')
    expect(simple.length).toBeGreaterThan(25)
    for (const [name, setting] of simple) {
      const { minimum = 0, maximum = 0 } = setting
      const good = setting.enum ?? (isNumber(setting) ? [minimum, maximum] : [false])
      const bad = isNumber(setting) ? [minimum - 1, maximum + 1, 'none'] : [7, 'none such']
      for (const value of [...good, null]) expect(await statusOf(name, value)).toEqual([name, value, true, 200])
      for (const value of bad) expect(await statusOf(name, value)).toEqual([name, value, false, 400])
    }
  })
})
