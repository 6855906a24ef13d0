/** `switchboard import`: a spreadsheet from the command line. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readSettings } from '../../src/app/settings.ts'
import { type ImportOptions, importOn } from '../../src/cli/import-sheet.ts'
import { csvOf, xlsxOf } from '../adapters/sheets/sheet-files.ts'
import { CAMPAIGN, type DialerWorld, numberOf, openDialerWorld } from '../rest/dialer/dialer-world.ts'
import { OURS } from '../rest/rest-world.ts'

let world: DialerWorld
let directory: string
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'switchboard-import-'))
  world = await openDialerWorld()
})
afterAll(async () => {
  await world.close()
  rmSync(directory, { recursive: true })
})

const RIGHT: ImportOptions = { campaign: CAMPAIGN, system: 'DEBT', attempts: 3, intervalHours: 4 }
const settings = readSettings({}).settings!

async function run(file: string, options: Partial<ImportOptions> = {}) {
  const lines: string[] = []
  const registry = { pools: world.pools, secretBytes: randomBytes, corporation: OURS }
  const doors = { settings, write: (line: string) => void lines.push(line) }
  const status = await importOn(file, { ...RIGHT, ...options }, registry, doors)
  return { status, text: lines.join('\n') }
}

const put = (name: string, bytes: Buffer) => {
  const file = join(directory, name)
  writeFileSync(file, bytes)
  return file
}
const tasks = async () => (await world.search({ callCodes: [CAMPAIGN], limit: 1 })).body.foundRows

test('a dry run shows columns, rows and codes, and imports nothing; without it, all rows', async () => {
  const rows = [
    ['Navn', 'Tlf', 'Farve'],
    ['Bo', numberOf(1), 'rød'],
    ['Åse', '112', 'blå'],
    ['Kim', numberOf(2), ''],
  ]
  const file = put('list.xlsx', xlsxOf(rows))
  const dry = await run(file, { dryRun: true })
  expect(dry.status).toBe(2)
  expect(dry.text).toContain('  B  Tlf: callNumberList\n  C  Farve: ignored')
  expect(dry.text).toContain('row 3: 103 number 1 of the list')
  expect(dry.text).toContain('2 of 3 rows would be imported; nothing was stored; 1 refused')
  expect(await tasks()).toBe(0)
  const real = await run(file)
  expect(real.text).toMatch(/2 of 3 rows imported as imp_\w+; 1 refused/)
  expect(await tasks()).toBe(2)
})

test('a long import prints its progress, and imports every row', async () => {
  const before = await tasks()
  const rows = Array.from({ length: 6_000 }, (_, place) => [`Debtor ${place}`, numberOf(1_000 + place)])
  const { status, text } = await run(put('long.csv', csvOf([['Name', 'Phone'], ...rows])))
  expect(text).toContain('5000 of 6000 rows')
  expect([status, await tasks()]).toEqual([0, before + 6_000])
})

test('columns are named as in the sheet, and the copy is readable by its owner only', async () => {
  const file = put(
    'odd.csv',
    csvOf([
      ['Whom', 'Where'],
      ['=Bo', numberOf(10)],
    ]),
  )
  const out = join(directory, 'copy.csv')
  const { status, text } = await run(file, { map: ['Whom=callReceiverName', 'B=callNumberList'], out })
  expect([status, text.includes(out)]).toEqual([0, true])
  expect(readFileSync(out, 'utf8')).toContain(`"'=Bo";"'${numberOf(10)}";"2";"imported"`)
  expect(statSync(out).mode & 0o077).toBe(0)
})

test.each<readonly [string, Partial<ImportOptions>, string]>([
  ['a system that is not there', { system: 'NONE' }, 'systemCode'],
  ['a campaign that is not there', { campaign: 99 }, 'callCode'],
  ['too many attempts', { attempts: 500 }, 'maxCallAttempts'],
  ['a field that is none', { map: ['Name=nonsense'] }, 'callNumberList'],
  ['a column that is not there', { map: ['Nobody=ignore'] }, 'Nobody'],
])('%s: nothing is done, and it says why', async (_name, options, why) => {
  const before = await tasks()
  const { status, text } = await run(
    put(
      'one.csv',
      csvOf([
        ['Name', 'Phone'],
        ['Bo', numberOf(20)],
      ]),
    ),
    options,
  )
  expect([status, text.includes(why), await tasks()]).toEqual([1, true, before])
})

test('a missing file, or no spreadsheet: nothing happens', async () => {
  expect(await run(join(directory, 'nothing.csv'))).toMatchObject({
    status: 1,
    text: expect.stringContaining('opened'),
  })
  expect(await run(put('a.pdf', Buffer.from('%PDF-1.7')))).toMatchObject({
    status: 1,
    text: expect.stringContaining('PDF'),
  })
})
