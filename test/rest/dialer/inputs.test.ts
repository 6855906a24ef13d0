/** Inputs and their volume, row by row of the fault catalogue (2.I), as far as these operations meet it. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ALLOWANCES } from '../../../src/rest/http/rate-limit.ts'
import { openRestWorld } from '../rest-world.ts'
import { type DialerWorld, debtor, debtors, importOf, openDialerWorld } from './dialer-world.ts'

let world: DialerWorld

beforeAll(async () => {
  world = await openDialerWorld()
})
afterAll(() => world.close())

const countTasks = async () => Number((await world.pools.api.query('select count(*) as n from call_tasks')).rows[0].n)
const name = async (callReceiverName: string, place: number) => {
  const task = debtor(place, { callReceiverName })
  const { body } = await world.importTasks([task], {}, '?returnImportedCallTasks=true')
  return body.callTasks[0]?.callReceiverName as string | undefined
}

test('F-I1: given 1,000 imports at once, each is answered 200 or 429, and none is lost or half done', async () => {
  const before = await countTasks()
  const answers = await Promise.all(
    Array.from({ length: 1_000 }, (_, count) =>
      world.importTasks([debtor(100_000 + count), debtor(100_000 + count, { callNumberList: [] })]),
    ),
  )
  expect(answers.filter(({ status }) => status !== 200 && status !== 429)).toEqual([])
  const made = answers.filter(({ status }) => status === 200)
  expect(made.length).toBeGreaterThan(200)
  expect(made.every(({ body }) => body.importedCount === 1 && body.callTaskErrors.length === 1)).toBe(true)
  expect(answers.every(({ status, headers }) => status === 200 || headers['retry-after'] === '1')).toBe(true)
  expect(await countTasks()).toBe(before + made.length)
})

test('F-I1: beyond the rate limit an import is 429 with Retry-After, and creates nothing', async () => {
  const limited = await openRestWorld({ rest: { allowances: ALLOWANCES } })
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, count) =>
      limited.call('POST', '/core/externalsystems', { systemCode: `S${count}`, name: 'x' }),
    ),
  )
  const refused = answers.filter(({ status }) => status === 429)
  const made = answers.filter(({ status }) => status === 201)
  expect(refused.length + made.length).toBe(100)
  expect(refused.length).toBeGreaterThan(40)
  expect(refused.every(({ headers }) => Number(headers['retry-after']) >= 1)).toBe(true)
  const listed = await limited.call('GET', '/core/externalsystems')
  expect(listed.body).toHaveLength(made.length)
  await limited.close()
})

test('F-I2: the same import again has the same answer with its key, and code 201 for each task without', async () => {
  const headers = { 'idempotency-key': 'monday' }
  const body = importOf(debtors(200_000, 200_050))
  const send = (more = {}) => world.call('POST', '/svcdialer/calltaskimport', body, more)
  const before = await countTasks()
  const first = await send({ headers })
  const again = await send({ headers })
  expect(again.body).toEqual(first.body)
  expect(again.headers['svc-idempotent-replay']).toBe('true')
  const without = await send()
  expect(without.body.callTaskErrors.map(({ errorCodes }: { errorCodes: number[] }) => errorCodes)).toEqual(
    Array.from({ length: 50 }, () => [201]),
  )
  expect(await countTasks()).toBe(before + 50)
})

test('F-I3: malformed JSON is 400 with code 2, and nothing is imported', async () => {
  const whole = JSON.stringify(importOf([debtor(210_000)]))
  const before = await countTasks()
  for (let length = 0; length < whole.length; length += 7) {
    const { status, body } = await world.call('POST', '/svcdialer/calltaskimport', undefined, {
      text: whole.slice(0, length),
    })
    expect({ status, code: body.statusCode, length }).toEqual({ status: 400, code: 2, length })
  }
  expect(await countTasks()).toBe(before)
})

test('F-I4: a body over 16 MiB is 413 in the form of the contract; an asynchronous one may be larger', async () => {
  const text = Buffer.alloc(16 * 1024 * 1024 + 1, ' ')
  const sync = await world.call('POST', '/svcdialer/calltaskimport', undefined, { text })
  expect([sync.status, sync.body.statusCode, typeof sync.body.statusText]).toEqual([413, 1, 'string'])
  const later = await world.call('POST', '/svcdialer/calltaskimport?importAsync=true', undefined, { text })
  expect([later.status, later.body.statusCode]).toEqual([400, 2])
})

const SCRIPTS = ['0123456789', '٠١٢٣٤٥٦٧٨٩', '０１２３４５６７８９', '०१२३४५६७८९', '𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗']
const DIGITS = SCRIPTS.map((digits) => [...digits])
const MARKS = [
  '',
  ' ',
  '-',
  '\u00ad',
  '\u200f',
  '\u202a',
  '\u2060',
  '(',
  ')',
  '.',
  ';',
  '&',
  '@',
  'a',
  '\u0000',
  '＋',
  '/',
]

test('F-I5, F-J15: in any spelling, the stored number is + and digits, or the task is 103', async () => {
  const prefix = fc.constantFrom(
    '+45',
    '+45',
    '0045',
    '',
    '＋４５',
    'tel:+45',
    'sip:',
    '500&PJSIP/',
    '+45 26 00 00 01 ext ',
  )
  const mark = fc.oneof({ weight: 30, arbitrary: fc.constant('') }, { weight: 1, arbitrary: fc.constantFrom(...MARKS) })
  const tail = fc.tuple(fc.constantFrom(...DIGITS), fc.array(fc.tuple(fc.nat(9), mark), { minLength: 6, maxLength: 7 }))
  const number = fc.tuple(prefix, tail).map(([prefix, [script, parts]]) => {
    return `${prefix}26${parts.map(([digit, mark]) => `${script[digit] ?? ''}${mark}`).join('')}`
  })
  let place = 300_000
  await fc.assert(
    fc.asyncProperty(fc.array(number, { minLength: 60, maxLength: 60 }), async (numbers) => {
      const callTasks = numbers.map((text) => debtor(++place, { callNumberList: [text.replaceAll('\u0000', '')] }))
      const { status, body } = await world.importTasks(callTasks)
      expect(status).toBe(200)
      const codes = body.callTaskErrors.flatMap(({ errorCodes }: { errorCodes: number[] }) => errorCodes)
      expect(codes.filter((code: number) => code !== 103)).toEqual([])
      expect(body.importedCount + codes.length).toBe(60)
    }),
    { numRuns: 50, seed: 5 },
  )
  const { rows } = await world.pools.api.query<{ number: string }>('select distinct number from call_task_numbers')
  expect(rows.length).toBeGreaterThan(50)
  expect(rows.filter(({ number }) => !/^\+[1-9][0-9]{6,14}$/.test(number))).toEqual([])
})

test('F-I6: names are stored composed, in one line, without direction marks and invisible characters', async () => {
  expect(await name('Zoe\u0308 \u202eevil\u202c', 400_001)).toBe('Zoë evil')
  expect(await name('👩‍👩‍👧 Ann\u200b\n\tB', 400_002)).toBe('👩‍👩‍👧 Ann B')
  expect(await name('half \ud83d sign', 400_003)).toBe('half \ufffd sign')
  expect(await name('😀'.repeat(255), 400_004)).toBe('😀'.repeat(255))
  expect(await name('😀'.repeat(256), 400_005)).toBeUndefined()
  expect(await name(`a${'\u0301'.repeat(500_000)}`, 400_006)).toBeUndefined()
  const withNul = await world.importTasks([debtor(400_007, { callReceiverName: 'a\u0000b' })])
  expect([withNul.status, withNul.body.statusCode]).toEqual([400, 2])
})

test('F-I7: whole numbers keep their value, and numbers that would be rounded are refused', async () => {
  const put = async (given: string) => {
    const { callTasks, ...rest } = importOf([debtor(410_000, { callNumberList: [] })])
    const text = JSON.stringify({ ...rest, callTasks }).replace('"maxCallAttempts":3', `"maxCallAttempts":${given}`)
    const { status, body } = await world.call('POST', '/svcdialer/calltaskimport', undefined, { text })
    return status === 200 ? 'taken' : body.statusCode
  }
  const table = [
    ...[
      ['3', 'taken'],
      ['7.0', 'taken'],
      ['1e1', 'taken'],
      ['1e3', 8],
      ['0', 8],
      ['-0', 8],
      ['101', 8],
      ['1.5', 8],
      ['"7"', 8],
    ],
    ...[
      ['true', 8],
      ['null', 7],
      ['""', 8],
      ['[3]', 8],
      ['9007199254740993', 2],
      ['1e999', 2],
      ['NaN', 2],
      ['0x10', 2],
      ['03', 2],
    ],
  ] as const
  for (const [given, verdict] of table) expect([given, await put(given)]).toEqual([given, verdict])
})

test('F-I8: depth, keys and names of prototypes do no harm', async () => {
  const before = await countTasks()
  const send = (text: string) => world.call('POST', '/svcdialer/calltaskimport', undefined, { text })
  const bombs = [
    '['.repeat(200_000),
    `${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`,
    `{${Array.from({ length: 100_000 }, (_, key) => `"k${key}":1`).join(',')}}`,
    JSON.stringify(importOf([debtor(420_000)])).replace('{', '{"__proto__":{"isAdmin":true},'),
  ]
  for (const text of bombs) expect((await send(text)).body.statusCode).toBe(2)
  const strange = importOf([{ ...debtor(420_001), callNumberList: [], constructor: { prototype: { x: 1 } } }])
  const { status } = await send(JSON.stringify({ ...strange, constructor: 1, toString: 2, hasOwnProperty: 3 }))
  expect(status).toBe(200)
  expect(({} as { isAdmin?: unknown; x?: unknown }).isAdmin ?? ({} as { x?: unknown }).x).toBeUndefined()
  expect(await countTasks()).toBe(before)
})

test('F-I8: of a repeated key the last one counts, and nothing of the first one remains', async () => {
  const text = JSON.stringify(importOf([debtor(421_000)])).replace(
    '{',
    '{"systemCode":"THEIRS","callTasks":[{},{},{}],',
  )
  const { status, body } = await world.call('POST', '/svcdialer/calltaskimport', undefined, { text })
  expect([status, body.callTaskErrors]).toEqual([200, []])
})

test('F-I9: wide pages are limited to ten a minute, and narrow searches continue meanwhile', async () => {
  const limited = await openDialerWorld({ rest: { allowances: ALLOWANCES } })
  const wide = await Promise.all(Array.from({ length: 15 }, () => limited.search({ limit: 50_000 })))
  expect(wide.filter(({ status }) => status === 200)).toHaveLength(10)
  expect(wide.filter(({ status }) => status === 429)).toHaveLength(5)
  expect((await limited.search({ limit: 1_001 })).status).toBe(429)
  expect((await limited.search({ limit: 1_000 })).status).toBe(200)
  expect((await limited.search({ pageNumber: 2 ** 53 - 1 })).body).toMatchObject({
    callTasks: [],
    firstRow: 0,
    lastRow: 0,
  })
  await limited.close()
})

test('F-I10: SQL, sort columns and wildcards are plain texts', async () => {
  for (const sort of [
    'itcaId; drop table users',
    'itcaId desc, 1',
    '(select 1)',
    'constructor',
    '__proto__',
    'id',
    '',
  ]) {
    expect([sort, (await world.search({ sort })).status]).toEqual([sort, 400])
  }
  const before = (await world.search({})).body.foundRows
  for (const text of ["' or 1=1 --", '%', '_', '%case%', '.*', '\\', '{1,2}', 'null', '$1']) {
    expect((await world.search({ systemLookupCodes: [text] })).body.foundRows).toBe(0)
    expect((await world.search({ extCustIds: [text] })).body.foundRows).toBe(0)
    expect((await world.search({ systemCodes: [text] })).body.foundRows).toBe(0)
    const named = await world.call('GET', `/dialer/callcode?name=${encodeURIComponent(text)}`)
    expect(named.body.callCodes).toEqual([])
  }
  expect((await world.search({})).body.foundRows).toBe(before)
})

test('F-I12: forms and files are refused by JSON operations', async () => {
  const text = '--x\r\ncontent-disposition: form-data; name="files"; filename="../../etc/passwd"\r\n\r\nhello\r\n--x--'
  for (const type of [
    'multipart/form-data; boundary=x',
    'multipart/form-data',
    'application/x-www-form-urlencoded',
    'text/plain',
  ]) {
    const { status } = await world.call('POST', '/svcdialer/calltaskimport', undefined, {
      text,
      headers: { 'content-type': type },
    })
    expect([type, status]).toEqual([type, 415])
  }
})
