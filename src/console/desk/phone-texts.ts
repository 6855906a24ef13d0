import { catalogue } from '../texts/catalogue.ts'

/** Texts of the phone in the browser; those of failures by their names. */
export const PHONE_TEXTS = catalogue({
  en: {
    startHint: 'This browser is your phone. Start opens your microphone; every call comes by itself.',
    connecting: 'Your phone is being connected …',
    live: 'This browser is your phone.',
    useHere: 'Use here',
    again: 'Connect again',
    'microphone.notFound': 'There is no microphone. Plug a headset in.',
    'microphone.refused': 'The browser refuses the microphone. Allow it beside the address.',
    'microphone.inUse': 'Another program has the microphone. Close it, and unplug and plug the headset.',
    'microphone.failed': 'The microphone does not work. Plug the headset in again.',
    'microphone.missing': 'The headset is gone: you are not heard. Plug it in.',
    elsewhere: 'Your phone is open in another tab or on another computer.',
    signal: 'The node is not reached. It is tried again by itself.',
    deaf: 'The connection to the node is being made anew. Your call goes on.',
    silent: 'No sound comes through. It is tried again by itself.',
    shiftOver: 'Your phone was disconnected at the end of the shift.',
  },
  da: {
    startHint: 'Denne browser er din telefon. Start åbner din mikrofon; hvert opkald kommer af sig selv.',
    connecting: 'Din telefon bliver forbundet …',
    live: 'Denne browser er din telefon.',
    useHere: 'Brug her',
    again: 'Forbind igen',
    'microphone.notFound': 'Der er ingen mikrofon. Sæt et headset i.',
    'microphone.refused': 'Browseren afviser mikrofonen. Tillad den ved siden af adressen.',
    'microphone.inUse': 'Et andet program bruger mikrofonen. Luk det, og sæt headsettet i igen.',
    'microphone.failed': 'Mikrofonen virker ikke. Sæt headsettet i igen.',
    'microphone.missing': 'Headsettet er væk: du kan ikke høres. Sæt det i.',
    elsewhere: 'Din telefon er åben i et andet faneblad eller på en anden computer.',
    signal: 'Noden kan ikke nås. Der prøves igen af sig selv.',
    deaf: 'Forbindelsen til noden bliver lavet igen. Din samtale fortsætter.',
    silent: 'Der kommer ingen lyd igennem. Der prøves igen af sig selv.',
    shiftOver: 'Din telefon blev afbrudt ved vagtens slutning.',
  },
})
