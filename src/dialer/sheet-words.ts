/** Headings in Nordic and Baltic languages, in lower case. A number after a heading (`Phone 2`) is ignored. */

export type HeadingMeaning = 'name' | 'firstName' | 'lastName' | 'customer' | 'caseNumber'

/** Whole headings. */
export const HEADINGS: Readonly<Record<HeadingMeaning, readonly string[]>> = {
  name: [
    ...['name', 'full name', 'receiver name', 'call receiver name', 'customer name', 'client name', 'contact name'],
    ...['debtor', 'debtor name', 'contact', 'contact person', 'person', 'customer'],
    ...['navn', 'fulde navn', 'fuldt navn', 'kundenavn', 'kunde navn', 'skyldner', 'skyldnernavn', 'debitor'],
    ...['debitornavn', 'kontaktperson', 'kunde', 'namn', 'fullständigt namn', 'kundnamn', 'gäldenär', 'fullt navn'],
    ...['skyldner navn', 'nimi', 'täisnimi', 'kliendi nimi', 'võlgnik', 'võlgniku nimi', 'koko nimi', 'velallinen'],
    ...['asiakkaan nimi', 'kundenname', 'schuldner', 'nom complet', 'débiteur', 'nombre completo', 'deudor'],
    ...['vārds uzvārds', 'parādnieks', 'klients', 'vardas pavardė', 'skolininkas', 'klientas'],
  ],
  firstName: [
    ...['first name', 'firstname', 'given name', 'forename', 'fornavn', 'förnamn', 'eesnimi', 'etunimi', 'vorname'],
    ...['prénom', 'prenom', 'nombre', 'vārds', 'vardas'],
  ],
  lastName: [
    ...['last name', 'lastname', 'surname', 'family name', 'efternavn', 'etternavn', 'efternamn', 'perenimi'],
    ...['perekonnanimi', 'sukunimi', 'nachname', 'nom', 'apellidos', 'apellido', 'uzvārds', 'pavardė'],
  ],
  customer: [
    ...['ext cust id', 'customer id', 'customer no', 'customer nr', 'customer number', 'client id', 'client number'],
    ...['client no', 'debtor id', 'debtor no', 'debtor number', 'kundenr', 'kunde nr', 'kundenummer', 'kunde id'],
    ...['kundeid', 'skyldnernr', 'skyldner nr', 'skyldner id', 'skyldnerid', 'debitornr', 'debitor nr', 'debitorid'],
    ...['debitor id', 'kundnr', 'kundnummer', 'kund id', 'kliendinumber', 'kliendi number', 'kliendi nr', 'kliendi id'],
    ...['võlgniku number', 'asiakasnumero', 'asiakas id', 'kundennummer', 'kunden nr', 'schuldnernummer'],
    ...['numéro client', 'número de cliente', 'klienta numurs', 'kliento numeris', 'kliento nr'],
  ],
  caseNumber: [
    ...['system lookup code', 'lookup code', 'case', 'case no', 'case nr', 'case id', 'case number', 'reference'],
    ...['sag', 'sagsnr', 'sags nr', 'sagnr', 'sag nr', 'sagsnummer', 'sagsid', 'sags id', 'saksnr', 'saksnummer'],
    ...['sak', 'sak nr', 'ärende', 'ärendenr', 'ärendenummer', 'juhtum', 'juhtumi number', 'juhtumi nr', 'toimik'],
    ...[
      'toimiku number',
      'toimiku nr',
      'asja number',
      'asianumero',
      'asjanumero',
      'tapausnumero',
      'aktenzeichen',
      'fallnummer',
    ],
    ...['dossier', 'numéro de dossier', 'expediente', 'número de expediente', 'lietas numurs', 'lietas nr'],
    ...['bylos numeris', 'bylos nr'],
  ],
}

/** A heading with one of these words is a column of numbers… */
export const NUMBER_WORDS: ReadonlySet<string> = new Set([
  ...['phone', 'phones', 'telephone', 'tel', 'mobile', 'mob', 'cell', 'cellphone', 'gsm', 'msisdn', 'landline'],
  ...['telefon', 'telefonnr', 'telefonnummer', 'telefonnumre', 'tlf', 'tlfnr', 'mobil', 'mobilnr'],
  ...['mobilnummer', 'mobiltelefon', 'fastnet', 'mobiili', 'mobiil', 'mobiiltelefon', 'telefoninumber', 'puhelin'],
  ...['puhelinnumero', 'matkapuhelin', 'handy', 'handynummer', 'rufnummer', 'téléphone', 'portable', 'teléfono'],
  ...['móvil', 'tālrunis', 'telefonas', 'mobilusis'],
])

/** …and so is one of these, whole. */
export const NUMBER_HEADINGS: readonly string[] = ['call number list', 'call number', 'numbers to call', 'nummer']

/** But not with one of these words: such a column describes a number. */
export const ABOUT_NUMBERS: ReadonlySet<string> = new Set([
  ...['fax', 'type', 'date', 'dato', 'datum', 'time', 'tid', 'consent', 'samtykke', 'status', 'note', 'notes', 'name'],
  ...['operator', 'carrier', 'country', 'land', 'model', 'price', 'pris', 'email', 'mail', 'comment', 'kommentar'],
])
