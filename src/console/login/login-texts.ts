import { catalogue } from '../texts/catalogue.ts'

/** Texts of the login page. */
export const LOGIN_TEXTS = catalogue({
  en: {
    title: 'Sign in',
    userName: 'User name',
    password: 'Password',
    code: 'Code',
    codeHint: 'Of the app on your phone, or one of your recovery codes.',
    wrongCode: 'This code is wrong, or was used before. Wait for the next one.',
    signIn: 'Sign in',
    wrong: 'The user name or the password is wrong. Check both and try again.',
    tooMany: 'Too many attempts. Try again in {seconds} seconds.',
    needsHttps: 'Signing in needs https. Open this page with https://, or on the server itself with http://localhost.',
    unreachable: 'Switchboard does not answer. Check the network and try again.',
    other: 'Signing in failed. Try again; if it fails again, tell your administrator.',
  },
  da: {
    title: 'Log ind',
    userName: 'Brugernavn',
    password: 'Adgangskode',
    code: 'Kode',
    codeHint: 'Fra appen på din telefon, eller en af dine reservekoder.',
    wrongCode: 'Koden er forkert eller brugt før. Vent på den næste.',
    signIn: 'Log ind',
    wrong: 'Brugernavnet eller adgangskoden er forkert. Kontrollér begge, og prøv igen.',
    tooMany: 'For mange forsøg. Prøv igen om {seconds} sekunder.',
    needsHttps: 'Login kræver https. Åbn siden med https://, eller på selve serveren med http://localhost.',
    unreachable: 'Switchboard svarer ikke. Kontrollér netværket, og prøv igen.',
    other: 'Login mislykkedes. Prøv igen; sig det til din administrator, hvis det sker igen.',
  },
})
