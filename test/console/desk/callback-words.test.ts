/** Callbacks in plain words: what an agent types, and the instant that is understood. */
import { expect, test } from 'vitest'
import { callbackAt } from '../../../src/console/desk/callback-words.ts'
import { wallAt } from '../../../src/console/desk/zone-time.ts'

const ZONE = 'Europe/Copenhagen'
/** A Saturday, 10:20 in Copenhagen. */
const NOW = Date.parse('2026-11-28T09:20:00Z')

/** As the wall in the zone shows it, or why not. */
function said(text: string, nowMs = NOW, zone = ZONE): string {
  const read = callbackAt(text, nowMs, zone)
  if (!read.ok) return read.why
  const { year, month, day, hour, minute } = wallAt(read.atMs, zone)
  const two = (number: number) => String(number).padStart(2, '0')
  return `${year}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)}`
}

test.each([
  ['mon 14', '2026-11-30 14:00'],
  ['Monday at 14:30', '2026-11-30 14:30'],
  ['14 mon', '2026-11-30 14:00'],
  ['mandag kl. 9', '2026-11-30 09:00'],
  ['man. kl 9.15', '2026-11-30 09:15'],
  ['tirs 16', '2026-12-01 16:00'],
  ['onsdag 8', '2026-12-02 08:00'],
  ['tors 8', '2026-12-03 08:00'],
  ['fre 8', '2026-12-04 08:00'],
  ['lør 11', '2026-11-28 11:00'],
  ['lørdag 9', '2026-12-05 09:00'],
  ['søndag 12', '2026-11-29 12:00'],
  ['sat 10:20', '2026-12-05 10:20'],
  ['tomorrow 9:30', '2026-11-29 09:30'],
  ['i morgen kl. 10', '2026-11-29 10:00'],
  ['imorgen 10', '2026-11-29 10:00'],
  ['day after tomorrow 8', '2026-11-30 08:00'],
  ['i overmorgen 8', '2026-11-30 08:00'],
  ['today 2pm', '2026-11-28 14:00'],
  ['i dag 14', '2026-11-28 14:00'],
  ['in 2 h', '2026-11-28 12:20'],
  ['in 2h', '2026-11-28 12:20'],
  ['in an hour', '2026-11-28 11:20'],
  ['in half an hour', '2026-11-28 10:50'],
  ['in 1 h 30 min', '2026-11-28 11:50'],
  ['in 45 min', '2026-11-28 11:05'],
  ['om 2 timer', '2026-11-28 12:20'],
  ['om en time', '2026-11-28 11:20'],
  ['om en halv time', '2026-11-28 10:50'],
  ['om 1,5 time', '2026-11-28 11:50'],
  ['om 20 minutter', '2026-11-28 10:40'],
  ['in 3 days', '2026-12-01 10:20'],
  ['in 3 days 14', '2026-12-01 14:00'],
  ['om 2 uger kl. 9', '2026-12-12 09:00'],
  ['15', '2026-11-28 15:00'],
  ['9', '2026-11-29 09:00'],
  ['1430', '2026-11-28 14:30'],
  ['noon', '2026-11-28 12:00'],
  ['14.12', '2026-11-28 14:12'],
  ['14.12 9.30', '2026-12-14 09:30'],
  ['14/12 9:30', '2026-12-14 09:30'],
  ['9:30 14/12', '2026-12-14 09:30'],
  ['14 dec 9', '2026-12-14 09:00'],
  ['dec 14 9', '2026-12-14 09:00'],
  ['d. 3. januar kl. 11', '2027-01-03 11:00'],
  ['3 maj 11', '2027-05-03 11:00'],
  ['12 okt 8:15', '2027-10-12 08:15'],
  ['2026-12-24 10', '2026-12-24 10:00'],
  ['14 dec 2026 9', '2026-12-14 09:00'],
  ['Dec 14, 2026 9:30', '2026-12-14 09:30'],
  ['9 14 dec 2026', '2026-12-14 09:00'],
  ['d. 3. januar 2027 kl. 11', '2027-01-03 11:00'],
  ['man. d. 14. december 2026 kl. 9', '2026-12-14 09:00'],
  ['14/12 2026 9', '2026-12-14 09:00'],
  ['14 dec 2026 2026', '2026-12-14 20:26'],
  ['14 dec 2026', 'noTime'],
  ['14. december 2026', 'noTime'],
  ['14/12 2026', 'noTime'],
  ['14.12 2026', 'noTime'],
  ['14 dec 2025 9', 'past'],
  ['14 dec 2028 9', 'tooFar'],
  ['mon 30/11 14', '2026-11-30 14:00'],
  ['29 feb 10', 'unknown'],
  ['31/11 10', 'unknown'],
  ['mon', 'noTime'],
  ['tomorrow', 'noTime'],
  ['14/12', 'noTime'],
  ['today 9', 'past'],
  ['2026-01-02 9', 'past'],
  ['2030-01-02 9', 'tooFar'],
  ['in 0 min', 'past'],
  ['', 'empty'],
  ['  ', 'empty'],
  ['soon', 'unknown'],
  ['next monday 9', 'unknown'],
  ['mon 25', 'unknown'],
  ['mon 9:75', 'unknown'],
  ['mon 9 10', 'unknown'],
  ['in 2', 'unknown'],
  ['in two weeks', 'unknown'],
  ['13pm', 'unknown'],
])('%s: %s', (text, understood) => {
  expect(said(text)).toBe(understood)
})

test('it is the wall of the callee that counts, also where their clocks change', () => {
  expect(callbackAt('tomorrow 9', NOW, 'America/Nuuk')).toEqual({ ok: true, atMs: Date.parse('2026-11-29T11:00:00Z') })
  const beforeSpring = Date.parse('2026-03-28T12:00:00Z')
  expect(callbackAt('tomorrow 2:30', beforeSpring, ZONE)).toEqual({
    ok: true,
    atMs: Date.parse('2026-03-29T01:30:00Z'),
  })
  const beforeAutumn = Date.parse('2026-10-24T12:00:00Z')
  expect(callbackAt('tomorrow 2:30', beforeAutumn, ZONE)).toEqual({
    ok: true,
    atMs: Date.parse('2026-10-25T00:30:00Z'),
  })
  expect(said('in 3 days', Date.parse('2026-10-23T12:00:00Z'))).toBe('2026-10-26 14:00')
})
