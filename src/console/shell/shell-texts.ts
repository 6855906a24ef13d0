import { catalogue } from '../texts/catalogue.ts'

/** Texts around every page: rail, top bar, menus. */
export const SHELL_TEXTS = catalogue({
  en: {
    pages: 'Pages',
    desk: 'Desk',
    calls: 'Calls',
    me: 'You',
    skip: 'Skip to the page',
    account: 'Your account: {name}',
    signOut: 'Sign out',
    loading: 'Loading the page …',
    notHere: 'There is no such page, or you may not open it.',
    toStart: 'Go to your first page',
    unreachable: 'Switchboard does not answer. Check the network, and press the button to try again.',
    broken: 'This page failed. Nothing that was saved is lost.',
    again: 'Try again',
  },
  da: {
    pages: 'Sider',
    desk: 'Plads',
    calls: 'Opkald',
    me: 'Dig',
    skip: 'Spring til siden',
    account: 'Din konto: {name}',
    signOut: 'Log ud',
    loading: 'Siden hentes …',
    notHere: 'Siden findes ikke, eller du må ikke åbne den.',
    toStart: 'Gå til din første side',
    unreachable: 'Switchboard svarer ikke. Kontrollér netværket, og tryk på knappen for at prøve igen.',
    broken: 'Siden fejlede. Intet, der var gemt, er tabt.',
    again: 'Prøv igen',
  },
})
