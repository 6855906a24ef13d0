/** Spreadsheets that programs of others wrote, over HTTP: nobody is called whom the sheet does not show. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSheetWorld, type SheetWorld } from './sheet-world.ts'

const FOLDER = join(import.meta.dirname, '../../adapters/sheets/corpus')
const fileOf = (name: string) => readFileSync(join(FOLDER, name))

let world: SheetWorld
beforeAll(async () => {
  world = await openSheetWorld()
})
afterAll(() => world.close())

interface Truth {
  readonly file: string
  readonly rows: readonly unknown[]
  readonly warnings: readonly string[]
}
const truths: readonly Truth[] = JSON.parse(readFileSync(join(FOLDER, 'truth.json'), 'utf8'))

test.each(['excel', 'openpyxl', 'libreoffice', 'opendocument', 'texts'])(
  'a dry run says of each sheet of %s what is hidden, computed, failed or converted',
  async (folder) => {
    const theirs = truths.filter(({ file }) => file.startsWith(`${folder}/`))
    expect(theirs.length).toBeGreaterThanOrEqual(10)
    for (const { file, rows, warnings } of theirs) {
      const { status, body } = await world.sendSheet(fileOf(file), { dryRun: true })
      expect([status, body.rowCount, body.dryRun], file).toEqual([200, rows.length - 1, true])
      expect(body.warnings, file).toEqual(expect.arrayContaining(warnings.map((each) => expect.stringContaining(each))))
    }
  },
)

test('what is imported is what a person sees: zeros, visible rows and the visible sheet alone', async () => {
  const found = async (name: string) => {
    const { body } = await world.sendSheet(fileOf(name))
    const { body: page } = await world.search({ limit: 100, callCodes: [7], detail: true })
    const theirs = page.callTasks.filter(({ importId }: { importId: string }) => importId === body.importId)
    return theirs.map((task: { systemLookupCode: string | null; callReceiverName: string }) => [
      task.callReceiverName,
      task.systemLookupCode,
    ])
  }
  expect(await found('excel/zeros.xlsx')).toEqual([
    ['Søren Kjær', '00001234'],
    ['Åse Müller', '00000098'],
  ])
  const cases = async (name: string) => (await found(name)).map(([, caseNumber]: readonly unknown[]) => caseNumber)
  expect(await cases('excel/filtered.xlsx')).toEqual(['C-0', 'C-1', 'C-5'])
  expect(await cases('opendocument/errors.ods')).not.toContain('#N/A')
})
