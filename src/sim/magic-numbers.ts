import type { Contact } from './person.ts'

/** Contacts by a number's last two digits, for the simulated and the real carrier. Our choice, as carriers do. */
const MAGIC_CONTACTS: Readonly<Record<string, Contact>> = {
  '01': { does: 'answer', ringsAfterMs: 0, afterMs: 200 }, // Answers and talks until the other side hangs up
  '02': { does: 'busy', afterMs: 100 }, // 486
  '03': { does: 'ignore', ringsAfterMs: 0, afterMs: 0 }, // Rings for ever
  /** Voicemail: speaks without a pause, for 15 s. */
  '04': { does: 'answer', ringsAfterMs: 0, afterMs: 300, voice: 'machine', hangsUpAfterMs: 15_000 },
  '05': { does: 'reject', ringsAfterMs: 0, afterMs: 300 }, // Declines: 603
  '06': { does: 'answer', ringsAfterMs: 0, afterMs: 200, hangsUpAfterMs: 0 }, // Answers, and hangs up at once
  '07': { does: 'fail', code: 404, afterMs: 50 }, // No such number: 404
  '08': { does: 'fail', code: 503, afterMs: 50 }, // The network is full: 503
  /** Answers, and hangs up after three seconds. */
  '09': { does: 'answer', ringsAfterMs: 0, afterMs: 200, hangsUpAfterMs: 3_000 },
  '10': { does: 'answer', ringsAfterMs: 0, afterMs: 200, voice: 'silent' }, // Answers, and says nothing
  '11': { does: 'answer', ringsAfterMs: 0, afterMs: 2_000 }, // Rings for two seconds before the answer
  '12': { does: 'answer', ringsAfterMs: 0, afterMs: 0 }, // Answers in the moment in which it rings
  '13': { does: 'ignore', ringsAfterMs: 0, afterMs: 0, answersCancelAfterMs: 50 }, // Answers as the caller gives up
  /** Answers with a codec that was not offered. */
  '14': { does: 'answer', ringsAfterMs: 0, afterMs: 200, soundless: 'otherCodecWithKeys' },
}

/** Any other ending is a number that does not exist. */
export function magicContact(number: string): Contact {
  return MAGIC_CONTACTS[number.slice(-2)] ?? { does: 'fail', code: 404, afterMs: 0 }
}
