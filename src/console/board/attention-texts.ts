import { catalogue } from '../texts/catalogue.ts'

/** A sentence for each rule of the attention line: what is wrong, of whom, since when. */
export const ATTENTION_TEXTS = catalogue({
  en: {
    dialingStopped: 'All dialing is stopped by the kill switch',
    budgetBroken: '{name}: {abandoned} abandoned, {allowed} allowed – above the limit',
    carrierFailing: '{name}: calls over {trunk} fail for {time}',
    nobodyAtWork: '{name}: {waiting} waiting for {time}, and nobody is at work',
    readyBesideWaiting: '{name}: {waiting} waiting for {time} although {ready} ready',
    phoneLost: '{name}: phone does not answer for {time}',
    queueLong: '{name}: {waiting} waiting, longest {time}',
    budgetNearlyUsed: '{name}: {abandoned} abandoned of {allowed} allowed',
    wrapUpLong: '{name} in wrap-up for {time} (limit 1:00)',
    dialingHeld: '{name} dials nobody: {why}',
    pauseLong: '{name} on a break for {time}',
    callbacksLate: '{name}: {late} promised callbacks are late',
    nothingDue: '{name}: nobody is left to dial now, agents are free',
    draining: '{name} is paused; its last phones ring out',
    campaignPaused: '{name} is paused',
  },
  da: {
    dialingStopped: 'Al opringning er stoppet med nødstop',
    budgetBroken: '{name}: {abandoned} tabte, {allowed} tilladt – over grænsen',
    carrierFailing: '{name}: opkald over {trunk} fejler i {time}',
    nobodyAtWork: '{name}: {waiting} venter i {time}, og ingen er på arbejde',
    readyBesideWaiting: '{name}: {waiting} venter i {time}, selv om {ready} er klar',
    phoneLost: '{name}: telefonen svarer ikke i {time}',
    queueLong: '{name}: {waiting} venter, længst {time}',
    budgetNearlyUsed: '{name}: {abandoned} tabte af {allowed} tilladte',
    wrapUpLong: '{name} i efterbehandling i {time} (grænse 1:00)',
    dialingHeld: '{name} ringer ikke op: {why}',
    pauseLong: '{name} på pause i {time}',
    callbacksLate: '{name}: {late} lovede opkald er forsinkede',
    nothingDue: '{name}: ingen er tilbage at ringe til nu, agenter er ledige',
    draining: '{name} er på pause; de sidste telefoner ringer ud',
    campaignPaused: '{name} er på pause',
  },
})
