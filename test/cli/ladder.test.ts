import { describe, expect, test } from 'vitest'
import { callShow } from '../../src/cli/call-show.ts'
import { ladder } from '../../src/cli/ladder.ts'
import { memoryJournal } from '../support/memory-journal.ts'
import { BEGAN_AT_MS, CALL, servedCall } from './served-call.ts'

/** The drawn row that holds `text`. */
function rowWith(text: string, drawn = ladder(servedCall())): string {
  return drawn.split('\n').find((row) => row.includes(text)) ?? `no row with ${text} in:\n${drawn}`
}

describe('a ladder', () => {
  test('shows events as arrows to the engine and commands as arrows from it, with the time of the call', () => {
    expect(rowWith('presses 1')).toMatch(/^ {2}\+1\.204s {3}presses 1 \(120 ms\) ─+▶│ +│$/)
    expect(rowWith('stop playing')).toMatch(/^ {2}\+1\.204s {2}◀─+ stop playing │/)
    expect(rowWith('ring anna')).toMatch(/│ +│ ring anna ─+▶$/)
    expect(rowWith('anna answered')).toMatch(/│ +│◀─+ anna answered$/)
  })

  test('shows the steps with their lines, and the cause of a branch', () => {
    expect(rowWith('▸ lookup')).toContain('▸ lookup: http, line 31, visit 2')
    expect(rowWith('isOpen else')).toContain('isOpen else → toTeam (no:')
  })

  test('begins with caller, number and time, and ends with the outcome', () => {
    const drawn = ladder(servedCall())
    expect(drawn).toContain(`${CALL}\n+45••••••78 called +45••••••00 · flow debtor-self-service@3f9a1c20aa77`)
    expect(drawn).toContain('2026-03-02 09:00:00.000 UTC')
    expect(drawn).toContain('outcome served · 61.000s long · ended by the caller (hungUp) · agent anna')
    expect(drawn).toContain('path askCase → lookup → isOpen → toTeam')
  })

  test('masks telephone numbers everywhere, also without their plus', () => {
    const drawn = ladder(servedCall())
    for (const number of ['4551234578', '4570001000', '4599887766']) expect(drawn).not.toContain(number)
  })

  test('shows full telephone numbers on request', () => {
    const drawn = ladder(servedCall(), { showsNumbers: true })
    expect(drawn).toContain('+4551234578 called +4570001000')
  })

  test('names the way of a key whose copy came late, and of no other key', () => {
    const told = { atMs: BEGAN_AT_MS, call: CALL, by: 'call' } as const
    const key = (digit: string, leg = 'sb-leg-1') =>
      ({ ...told, kind: 'fact', what: { type: 'leg.digit', leg, digit, heldMs: 120 } }) as const
    const late = { ...told, kind: 'note', what: { type: 'leg.digitWasInfo', leg: 'sb-leg-1', keysAgo: 2 } } as const
    const drawn = ladder([key('4'), key('5'), key('6', 'sb-leg-2'), late])
    expect(drawn).toContain('presses 4 (120 ms, SIP INFO)')
    expect(drawn).toContain('presses 5 (120 ms) ')
    expect(drawn).toContain('presses 6 (120 ms) ')
    expect(drawn).not.toContain('digitWasInfo')
  })

  test('shows a masked digit as it was written', () => {
    expect(rowWith('presses •')).toContain('+1.500s')
  })

  test('is 116 columns wide and cuts text that exceeds three rows', () => {
    const drawn = ladder(servedCall())
    for (const row of drawn.split('\n').slice(3)) expect(row.length).toBeLessThanOrEqual(116)
    expect(drawn).toContain('your case number and then press…')
  })

  test('shows the codec of an answer and the packets of an end, where the journal has them', () => {
    const packets = { received: 97, receivedLost: 3, receivedJitterMs: 4, sent: 110, sentLost: 1 }
    const told = { atMs: BEGAN_AT_MS, call: CALL, kind: 'fact', by: 'call' } as const
    const answered = { type: 'leg.answered', leg: 'sb-leg-1', codec: 'alaw' }
    const ended = { type: 'leg.ended', leg: 'sb-leg-1', reason: 'hungUp', packets }
    const drawn = ladder([
      { ...told, what: answered },
      { ...told, what: ended },
    ])
    expect(rowWith('connected', drawn)).toContain('connected (alaw)')
    expect(drawn.replace(/[│\s▶─]+/g, ' ')).toContain('packets in 97, lost 3, jitter 4 ms; out 110, lost 1')
    expect(rowWith('connected')).toContain(' connected ─')
  })

  test('given a line of an unknown kind, shows it as it stands', () => {
    const what = { type: 'moon.rose', phase: 'full' }
    const drawn = ladder([{ atMs: BEGAN_AT_MS, call: CALL, kind: 'note', by: 'call', what }])
    expect(rowWith('moon.rose', drawn)).toContain('moon.rose {"phase":"full"}')
  })

  test('given an unfinished call, says so', () => {
    expect(ladder(servedCall().slice(0, 5))).toContain('not ended yet')
  })
})

describe('call show', () => {
  const nowhere = async () => undefined

  test('prints the ladder of a known call and exits with 0', async () => {
    const journal = memoryJournal()
    for (const line of servedCall()) journal.append(line)
    const written: string[] = []
    expect(await callShow(CALL, { journal, find: nowhere, write: (text) => written.push(text) })).toBe(0)
    expect(written.join('\n')).toBe(ladder(servedCall()))
  })

  test('given an unknown call, says where to find ids and exits with 1', async () => {
    const written: string[] = []
    const doors = { journal: memoryJournal(), find: nowhere, write: (text: string) => written.push(text) }
    expect(await callShow('sb-call-nobody', doors)).toBe(1)
    expect(written[0]).toBe('no call "sb-call-nobody"')
  })
})
