/** A world of the dialer that accepts spreadsheets. */

import { sheetReader } from '../../../src/adapters/sheets/sheet-reader.ts'
import { RealClock } from '../../../src/kernel/clock.ts'
import type { CallOptions, Reply } from '../rest-world.ts'
import { CAMPAIGN, type DialerWorld, openDialerWorld } from './dialer-world.ts'

/** Sends spreadsheets. */
export interface SheetWorld extends DialerWorld {
  /** All fields of the request are valid, but for `change`; null omits one. */
  sendSheet(bytes: Buffer, change?: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<Reply>
}

const BOUNDARY = 'sheet7'

/** Opens it. */
export async function openSheetWorld(): Promise<SheetWorld> {
  const sheets = sheetReader({ clock: new RealClock() })
  const world = await openDialerWorld({ parts: { sheets } })
  return {
    ...world,
    sendSheet(bytes, change = {}, options = {}) {
      const all = { systemCode: 'DEBT', callCode: CAMPAIGN, maxCallAttempts: 3, minCallIntervalHours: 4, ...change }
      const fields = Object.entries(all).filter(([, value]) => value !== null)
      const query = new URLSearchParams(fields.map(([name, value]): [string, string] => [name, String(value)]))
      const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}`, ...options.headers }
      return world.call('POST', `/svcdialer/calltasksheet?${query}`, undefined, {
        ...options,
        text: formOf(bytes),
        headers,
      })
    },
    async close() {
      await world.close()
      await sheets.close()
    },
  }
}

/** A form with one file. */
export function formOf(bytes: Buffer, name = 'file'): Buffer {
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"; filename="list.csv"\r\n\r\n`
  return Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)])
}
