/** Call tasks from spreadsheets: what the API answers to the same list (contract.md §1). */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readSheet } from '../../../src/adapters/sheets/read-sheet.ts'
import { workOffPiece } from '../../../src/core/imports/import-worker.ts'
import { SCOPES } from '../../../src/rest/http/route.ts'
import { csvOf, odsOf, type Value, xlsxOf } from '../../adapters/sheets/sheet-files.ts'
import { THEIRS } from '../rest-world.ts'
import { CAMPAIGN, numberOf, OTHER_CAMPAIGN, THEIR_CAMPAIGN } from './dialer-world.ts'
import { openSheetWorld, type SheetWorld } from './sheet-world.ts'

let world: SheetWorld
beforeAll(async () => {
  world = await openSheetWorld()
})
afterAll(() => world.close())

let place = 0
const HEADINGS = ['Name', 'Phone 1', 'Phone 2', 'Customer no.', 'Case no.', 'Amount', 'Colour']
/** A row of a unique debtor. */
const person = (change: Partial<Record<'name' | 'phone' | 'other' | 'customer' | 'case' | 'amount', Value>> = {}) => {
  place++
  const own = { name: `Debtor ${place}`, phone: numberOf(place), other: null, customer: `k${place}`, case: `0${place}` }
  const all = { ...own, amount: null, ...change }
  return [all.name, all.phone, all.other, all.customer, all.case, all.amount, 'red']
}
const count = async (callCode = CAMPAIGN) =>
  (await world.search({ callCodes: [callCode], limit: 1 })).body.foundRows as number

describe('a spreadsheet', () => {
  test.each([
    ['.xlsx', xlsxOf],
    ['.ods', odsOf],
    ['CSV', (rows: readonly (readonly Value[])[]) => csvOf(rows)],
  ])('of the kind %s becomes call tasks, with names, numbers, zeros and fields', async (_kind, fileOf) => {
    const [name = null, phone = null, , customer = null, caseNumber = null] = person()
    const row = [name, phone, '004526999999', customer, caseNumber, '100 kr', 'red']
    const { status, body } = await world.sendSheet(fileOf([HEADINGS, row, [], person()]))
    expect(status).toBe(200)
    expect(body).toMatchObject({ dryRun: false, headingRow: 1, rowCount: 2, importedCount: 2, failedCount: 0 })
    const { body: found } = await world.search({ extCustIds: [customer], detail: true })
    expect(found.callTasks).toMatchObject([
      {
        callReceiverName: name,
        extCustId: customer,
        systemLookupCode: caseNumber,
        callNumberList: [{ e164: phone }, { e164: '+4526999999' }],
        properties: [{ emprId: 5, name: 'Amount', value: '100 kr' }],
        importId: body.importId,
      },
    ])
  })

  test('is polled like any other import', async () => {
    const { body } = await world.sendSheet(csvOf([HEADINGS, person(), person({ phone: 'x' })]))
    const job = await world.call('GET', `/svcdialer/calltaskimport/${body.importId}`)
    expect(job.body).toMatchObject({ importStatus: 'completed', submittedCount: 2, importedCount: 1, failedCount: 1 })
  })

  test('above the limit of rows, or on request, is imported asynchronously', async () => {
    const rows = [person(), person({ name: '' }), person()]
    const { body } = await world.sendSheet(csvOf([HEADINGS, ...rows]), { importAsync: true })
    expect(body).toMatchObject({ importStatus: 'queued', callTaskErrors: [], rowCount: 3 })
    while (await workOffPiece(world.parts));
    const job = await world.call('GET', `/svcdialer/calltaskimport/${body.importId}`)
    expect(job.body).toMatchObject({ importedCount: 2, callTaskErrors: [{ callTaskIndex: 1, errorCodes: [101] }] })
  })

  test('takes priority and validity from the columns that the mapping names, and only from these', async () => {
    const headings = [...HEADINGS, 'Priority', 'Begins', 'Ends']
    const right = [...person(), '70', '2027-01-04T08:00+01:00', '2027-02-01 08:00:00Z']
    const wrong = [...person(), 'high', '4.1.2027', '2027-01-03']
    const mapping = JSON.stringify({ Priority: 'priority', Begins: 'validFrom', Ends: 'validTo' })
    const { body } = await world.sendSheet(csvOf([headings, right, wrong]), { mapping })
    expect(body).toMatchObject({ importedCount: 1, callTaskErrors: [{ row: 3 }] })
    for (const what of ['priority', 'validFrom', 'validTo']) {
      expect(JSON.stringify(body.callTaskErrors)).toContain(`${what} is no`)
    }
    const { body: found } = await world.search({ extCustIds: [right[3]], detail: true })
    expect(found.callTasks).toMatchObject([
      { priority: 70, validFrom: '2027-01-04T07:00:00.000Z', validTo: '2027-02-01T08:00:00.000Z' },
    ])
    const { body: unmapped } = await world.sendSheet(csvOf([headings, [...person(), 'high', 'x', 'y']]))
    expect(unmapped).toMatchObject({ importedCount: 1 })
  })

  test('reports the meaning of its columns, and accepts another one', async () => {
    const rows = [
      ['Whom', 'Where', 'Note'],
      ...[person(), person()].map(([name, phone]) => [name ?? null, phone ?? null, 'n']),
    ]
    const guessed = await world.sendSheet(csvOf(rows), { dryRun: true })
    expect(guessed.body.columns.map(({ field }: { field: string }) => field)).toEqual([null, null, null])
    expect(guessed.body.warnings).toHaveLength(2)
    expect(guessed.body.callTaskErrors).toMatchObject([{ row: 2, errorCodes: [101, 102] }, { row: 3 }])
    const mapping = JSON.stringify({
      Whom: 'callReceiverName',
      B: 'callNumberList',
      note: 'emprId:5:addToCallTaskName',
    })
    const said = await world.sendSheet(csvOf(rows), { mapping })
    expect(said.body).toMatchObject({ importedCount: 2, warnings: [] })
    expect(said.body.columns[2]).toMatchObject({ column: 'C', field: 'properties', emprId: 5, addToCallTaskName: true })
    const { body } = await world.search({ callNumbers: [rows[1]![1]], detail: true })
    expect(body.callTasks[0].callReceiverName).toBe(`${rows[1]![0]} n`)
  })

  test('reports a number that lost its digits by row and column; it is never dialed (F-I13)', async () => {
    const { body } = await world.sendSheet(csvOf([HEADINGS, person(), person({ phone: '4,57E+09' })]), { dryRun: true })
    expect(body.warnings).toEqual([expect.stringContaining('column B: one number lost digits')])
    expect(body.callTaskErrors).toMatchObject([{ row: 3, errorCodes: [103] }])
  })
})

describe('a dry run', () => {
  test('creates nothing, and reports what the import then does, row by row', async () => {
    const twice = person()
    const [stopped, known] = [person(), person()]
    await world.call('POST', '/dialer/stoplist/numbers', { numbers: [stopped[1]] })
    await world.sendSheet(csvOf([HEADINGS, known]))
    const rows = [person(), twice, twice, stopped, known, person({ name: null }), person({ amount: 'x' })]
    const before = await count()
    const dry = await world.sendSheet(csvOf([HEADINGS, ...rows]), { dryRun: true })
    expect(dry.body).toMatchObject({ dryRun: true, rowCount: 7, acceptedCount: 3, failedCount: 4 })
    expect(dry.body.callTaskErrors).toMatchObject([
      { row: 4, errorCodes: [201] },
      { row: 5, errorCodes: [203] },
      { row: 6, errorCodes: [201] },
      { row: 7, errorCodes: [101] },
    ])
    expect(await count()).toBe(before)
    const real = await world.sendSheet(csvOf([HEADINGS, ...rows]))
    expect(real.body.callTaskErrors).toEqual(dry.body.callTaskErrors)
    expect(await count()).toBe(before + 3)
  })

  test('of several thousand rows finds a duplicate in another piece', async () => {
    const rows = Array.from({ length: 2_200 }, () => person())
    const { body } = await world.sendSheet(csvOf([HEADINGS, ...rows, rows[0]!]), { dryRun: true })
    expect(body).toMatchObject({ rowCount: 2_201, acceptedCount: 2_200, failedCount: 1 })
    expect(body.callTaskErrors).toMatchObject([{ callTaskIndex: 2_200, row: 2_202, errorCodes: [201] }])
  })
})

describe('the returned copy', () => {
  test('is the sheet with the outcome of each row; corrected, it can be sent again', async () => {
    const [good, bad] = [person(), person({ phone: '112' })]
    const answer = await world.sendSheet(csvOf([HEADINGS, good, bad], ','), { answer: 'csv' })
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(answer.headers['content-disposition']).toContain('attachment; filename="list (import).csv"')
    const copy = await readSheet({ bytes: Buffer.from(answer.text) })
    const cells = copy.ok ? copy.rows.map((row) => row.cells) : []
    expect(cells[0]).toEqual([...HEADINGS, 'import row', 'import result', 'import codes', 'import text'])
    expect(cells[1]?.slice(7)).toEqual(['2', 'imported'])
    expect(cells[2]?.slice(7, 10)).toEqual(['3', 'refused', '103'])
    const mended = cells.map((row) => row.map((cell) => (cell === '112' ? numberOf(++place) : cell)))
    const again = await world.sendSheet(csvOf(mended), { answer: 'csv' })
    const second = await readSheet({ bytes: Buffer.from(again.text) })
    expect(second.ok && second.rows.map((row) => row.cells.slice(8, 10))).toEqual([
      ['import result', 'import codes'],
      ['refused', '201'],
      ['imported'],
    ])
  })

  test('has no cell that a program evaluates; a telephone number is a text (F-J3)', async () => {
    const evil = ["=cmd|'/C calc'!A0", '+1+1', '-2+3', '@SUM(1)', '\t=1', '=HYPERLINK("http://x.example","a")']
    const rows = evil.map((name) => person({ name, customer: name, amount: name }))
    const { text } = await world.sendSheet(csvOf([HEADINGS, ...rows]), { answer: 'csv', dryRun: true })
    const cells = text
      .replace('\uFEFF', '')
      .split('\r\n')
      .flatMap((line) => line.split(/";"|^"|"$/))
    expect(cells.filter((cell) => /^[\s\0]*[=+\-@]/.test(cell))).toEqual([])
    expect(text).toContain(`"'+4526`)
  })
})

describe('an unusable sheet is answered as by the API:', () => {
  test.each([
    [{ systemCode: null }, 3],
    [{ systemCode: 'NONE' }, 4],
    [{ systemCode: 'THEIRS' }, 4],
    [{ callCode: null }, 5],
    [{ callCode: 99 }, 6],
    [{ callCode: 'x' }, 6],
    [{ callCode: THEIR_CAMPAIGN }, 6],
    [{ maxCallAttempts: null }, 7],
    [{ maxCallAttempts: 'many' }, 8],
    [{ maxCallAttempts: 0 }, 8],
    [{ minCallIntervalHours: null }, 9],
    [{ minCallIntervalHours: '1.5' }, 10],
    [{ mapping: '{' }, 1],
    [{ mapping: '{"Name":"nonsense"}' }, 1],
    [{ mapping: '{"Nobody":"ignore"}' }, 1],
    [{ sheet: 0 }, 1],
  ])('%j is %i', async (change, code) => {
    const { status, body } = await world.sendSheet(csvOf([HEADINGS, person()]), change)
    expect([status, body.statusCode]).toEqual([400, code])
    expect(body.statusText).toMatch(/\S/)
  })

  test('a sheet without rows is 11, an invalid file 2, with the remedy', async () => {
    const empty = await world.sendSheet(csvOf([HEADINGS]))
    expect([empty.status, empty.body.statusCode]).toEqual([400, 11])
    const none = await world.sendSheet(Buffer.from('%PDF-1.7'))
    expect([none.status, none.body.statusCode]).toEqual([400, 2])
    expect(none.body.statusText).toContain('.xlsx')
  })

  test('more bytes than the limit are 413', async () => {
    const { status } = await world.sendSheet(Buffer.alloc(10 * 1024 * 1024 + 1, 'x'))
    expect(status).toBe(413)
  })

  test('a campaign and a system of another corporation are answered as unknown ones (D-04)', async () => {
    const as = await world.credential(['dialer:write'], [THEIRS])
    const file = csvOf([HEADINGS, person()])
    const before = await count()
    const foreign = await world.sendSheet(file, {}, { as })
    expect(foreign.body).toEqual((await world.sendSheet(file, { systemCode: 'NONE', callCode: 999 }, { as })).body)
    const field = await world.sendSheet(file, { mapping: '{"Colour":"emprId:6"}' })
    expect(field.body.callTaskErrors).toMatchObject([{ errorCodes: [12] }])
    expect(await count()).toBe(before)
  })

  test('the same request with its key is carried out once (D-32)', async () => {
    const headers = { 'idempotency-key': 'sheet-1' }
    const file = csvOf([HEADINGS, person()])
    const [first, second] = [await world.sendSheet(file, {}, { headers }), await world.sendSheet(file, {}, { headers })]
    expect(second.headers['svc-idempotent-replay']).toBe('true')
    expect(second.body).toEqual(first.body)
    expect(first.body.importedCount).toBe(1)
  })
})

test('the same rows by sheet and by API create the same call tasks, and the same codes', async () => {
  const own = (make: (place: number) => string) => fc.constant(undefined).map(() => make(++place))
  const name = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('Bo', 'Åse Ærø', '=1+1', '+x', "'t Hooft", '\u202eBo', '0') },
    fc.constantFrom('', 'x'.repeat(300)),
  )
  const number = fc.oneof(
    { weight: 4, arbitrary: own(numberOf) },
    fc.constantFrom('26 00 00 01', '112', 'x', '4.57E+09'),
  )
  const code = fc.oneof(
    own((each) => `0${each}`),
    fc.constantFrom('c1', 'c2', '', 'y'.repeat(70)),
  )
  const amount = fc.constantFrom('', '100', '=2', 'z'.repeat(1_001))
  const row = fc.record({ name, numbers: fc.array(number, { maxLength: 3 }), customer: code, case: code, amount })
  const files = fc.constantFrom(xlsxOf, odsOf, (rows: readonly (readonly Value[])[]) => csvOf(rows))
  const shown = async (callCode: number) => {
    const { body } = await world.search({ callCodes: [callCode], detail: true, limit: 1_000, finishedList: [false] })
    return body.callTasks.map((task: Record<string, unknown>) =>
      ['callReceiverName', 'callNumberList', 'extCustId', 'systemLookupCode', 'properties', 'callTaskIndex'].map(
        (key) => task[key],
      ),
    )
  }
  const endAll = () =>
    world.pools.jobs.query(
      `update call_tasks set finished_at_ms = 1, status = 'endedByUser' where finished_at_ms is null`,
    )
  const rowsOf = fc.array(row, { minLength: 1, maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(rowsOf, files, async (rows, fileOf) => {
      await endAll()
      const cells = rows.map((each) => [each.name, each.numbers.join('; '), each.customer, each.case, each.amount])
      // An empty row is not a row of a sheet.
      if (cells.some((each) => each.every((cell) => cell === ''))) return
      const headings = ['Name', 'Phone', 'Customer no.', 'Case no.', 'Amount']
      const bySheet = await world.sendSheet(fileOf([headings, ...cells]))
      const callTasks = rows.map((each) => ({
        callReceiverName: each.name,
        callNumberList: each.numbers,
        extCustId: each.customer,
        systemLookupCode: each.case,
        ...(each.amount !== '' && { properties: [{ emprId: 5, value: each.amount }] }),
      }))
      const byApi = await world.importTasks(callTasks, { callCode: OTHER_CAMPAIGN })
      const errors = bySheet.body.callTaskErrors.map(({ row, ...error }: { row: number }) => error)
      expect(errors).toEqual(byApi.body.callTaskErrors)
      expect(bySheet.body.importedCount).toBe(byApi.body.importedCount)
      expect(await shown(CAMPAIGN)).toEqual(await shown(OTHER_CAMPAIGN))
    }),
    { numRuns: 15 },
  )
})

test('ten long spreadsheets of one credential keep a colleague waiting for none of them', async () => {
  const colleague = await world.credential(SCOPES)
  const rows = [
    ['Name', 'Phone'],
    ...Array.from({ length: 9_000 }, (_, index) => [`D ${index}`, `+45${26000000 + index}`]),
  ]
  const [long, short] = [csvOf(rows), csvOf(rows.slice(0, 2))]
  const done: string[] = []
  const theirs = Array.from({ length: 10 }, () =>
    world.sendSheet(long, { dryRun: true }).then(({ status }) => done.push(`long ${status}`)),
  )
  await world.sendSheet(short, { dryRun: true }, { as: colleague }).then(({ status }) => done.push(`short ${status}`))
  expect(done.at(-1)).toBe('short 200')
  expect(done.length).toBeLessThan(5)
  await Promise.all(theirs)
  expect(new Set(done)).toEqual(new Set(['long 200', 'short 200']))
})
