import { catalogue } from '../texts/catalogue.ts'

/** Texts of the page about the person themselves. */
export const ME_TEXTS = catalogue({
  en: {
    title: 'You',
    about: 'Who you are',
    name: 'Name',
    userName: 'User name',
    roles: 'Roles',
    corporation: 'Organisation',
    until: 'Signed in until',
    agent: 'Agent',
    supervisor: 'Supervisor',
    admin: 'Administrator',
    appearance: 'This browser',
  },
  da: {
    title: 'Dig',
    about: 'Hvem du er',
    name: 'Navn',
    userName: 'Brugernavn',
    roles: 'Roller',
    corporation: 'Organisation',
    until: 'Logget ind indtil',
    agent: 'Agent',
    supervisor: 'Supervisor',
    admin: 'Administrator',
    appearance: 'Denne browser',
  },
})
