"""Makes the spreadsheets of this folder with programs of others, and truth.json: what a person sees in them.

    apt-get install python3-xlsxwriter python3-openpyxl python3-odf libreoffice-calc-nogui
    python3 make.py

xlsxwriter writes as Excel does, openpyxl leaves out the results of formulas, LibreOffice saves the first as .xlsx and
.ods again. The texts have the encodings and separators of Excel, LibreOffice, Google Sheets and Numbers.
"""
import csv, datetime, io, json, os, shutil, subprocess, sys

import openpyxl
import xlsxwriter
from openpyxl.styles import numbers

HERE = os.path.dirname(os.path.abspath(__file__))
HEAD = ['Name', 'Mobile', 'Case no.', 'Due']
NAMES = ['Søren Kjær', 'Åse Müller', 'Łukasz Żak', "Anne O'Neill", 'Strauß & Søn']


class Cell:
    """A value, its number format, its formula, and what is seen."""

    def __init__(self, value, seen, form=None, formula=None, error=None):
        self.value, self.seen, self.form, self.formula, self.error = value, seen, form, formula, error


def text(value):
    return Cell(value, value)


def rows_of(count=3):
    return [[text(NAMES[n % 5]), text(f'+452612340{n}'), text(f'C-{n}'), text('')] for n in range(count)]


def scenario(name, rows, warns=(), **more):
    return dict(name=name, rows=rows, warns=list(warns), **more)


def changed(column, cells, count=None):
    rows = rows_of(count or len(cells))
    for row, cell in zip(rows, cells):
        row[column] = cell
    return rows


DAY = datetime.date(2026, 3, 1)
SCENARIOS = [
    scenario('plain', rows_of()),
    scenario('zeros', changed(2, [Cell(1234, '00001234', '00000000'), Cell(98, '00000098', '00000000')])),
    scenario('plus', changed(1, [Cell(4526123401, '+4526123401', '"+"0'), Cell(4526123402, '+4526123402', '"+"0')])),
    scenario('spaced', changed(1, [Cell(26123401, '26123401', '00 00 00 00')])),
    scenario('spaced-zeros', changed(2, [Cell(123, '00 00 01 23', '00 00 00 00')])),
    scenario('thousands', changed(2, [Cell(4711, '4711', '#,##0')])),
    scenario('scientific', changed(1, [Cell(4526123401, '4526123401', '0.00E+00')]),
             ['column B, row 2: are shown otherwise']),
    scenario('percent', changed(3, [Cell(0.25, '0.25', '0%')]), ['column D, row 2: are shown otherwise']),
    scenario('rounded', changed(3, [Cell(12.345, '12.345', '0.00')]), ['column D, row 2: are shown otherwise']),
    scenario('long', changed(2, [Cell(1234567890123456, '1234567890123456', '0')]),
             ['column C, row 2: have more than 15 digits']),
    scenario('text-zeros', changed(2, [text('0001'), text('0002')])),
    scenario('dates', changed(3, [Cell(DAY, '2026-03-01', 'dd-mm-yyyy'), Cell(DAY, '2026-03-01', 'yyyy-mm-dd')]),
             ['column D, rows 2 to 3: are dates']),
    scenario('formulas', changed(2, [Cell(7, '7', None, '=3+4'), Cell(8, '8', None, '=4+4')]),
             ['column C, rows 2 to 3: are computed']),
    scenario('text-formulas', changed(0, [Cell('Bo Ek', 'Bo Ek', None, '="Bo"&" "&"Ek"')]),
             ['column A, row 2: are computed']),
    scenario('errors', changed(2, [Cell('#N/A', '', None, '=NA()', True), text('C-1'),
                                   Cell('#DIV/0!', '', None, '=1/0', True)]),
             ['column C, rows 2, 4: show an error']),
    scenario('hidden-rows', rows_of(5), ['rows 3, 5: hidden, and left out'], hidden_rows=[3, 5]),
    scenario('filtered', rows_of(6), ['rows 4 to 6: hidden, and left out'], hidden_rows=[4, 5, 6], filtered=True),
    scenario('hidden-column', rows_of(), ['column C is hidden and was left out'], hidden_columns=[2]),
    scenario('hidden-sheet', rows_of(), ['the sheet “Old” is hidden and was not read'], before=[('Old', True)]),
    scenario('two-sheets', rows_of(), ['the sheet “Notes” was not read'], after=[('Notes', False)]),
    scenario('blank-above', rows_of(), lead=2),
    scenario('unicode', changed(0, [text('Ελένη Παππά'), text('Ольга Ким'), text('Ahmed أحمد')])),
]


def seen_of(one, blank_formulas=False):
    lead = one.get('lead', 0)
    hidden = one.get('hidden_columns', [])
    out = [[2 - 1 + lead, [cell if place not in hidden else '' for place, cell in enumerate(HEAD)]]]
    for place, row in enumerate(one['rows']):
        number = place + 2 + lead
        if number in one.get('hidden_rows', []):
            continue
        cells = ['' if (c.formula and blank_formulas) else c.seen for c in row]
        out.append([number, ['' if at in hidden else cell for at, cell in enumerate(cells)]])
    for _, cells in out:
        while cells and cells[-1] == '':
            cells.pop()
    return out


def with_xlsxwriter(one, path):
    book = xlsxwriter.Workbook(path)
    for name, is_hidden in one.get('before', []):
        sheet = book.add_worksheet(name)
        sheet.write_row(0, 0, ['Name', 'Mobile'])
        sheet.write_row(1, 0, ['Nobody', '+4526999999'])
        if is_hidden:
            sheet.hide()
    sheet = book.add_worksheet('Debtors')
    sheet.activate()
    sheet.set_first_sheet()
    lead = one.get('lead', 0)
    sheet.write_row(lead, 0, HEAD)
    for at, row in enumerate(one['rows']):
        for column, cell in enumerate(row):
            form = book.add_format({'num_format': cell.form}) if cell.form else None
            if cell.formula:
                sheet.write_formula(lead + at + 1, column, cell.formula, form, cell.value)
            elif isinstance(cell.value, datetime.date):
                sheet.write_datetime(lead + at + 1, column, datetime.datetime(2026, 3, 1), form)
            elif isinstance(cell.value, str):
                if cell.value:
                    sheet.write_string(lead + at + 1, column, cell.value)
            else:
                sheet.write_number(lead + at + 1, column, cell.value, form)
    if one.get('filtered'):
        sheet.autofilter(0, 0, len(one['rows']), 3)
        sheet.filter_column(2, 'x == keep')
    for number in one.get('hidden_rows', []):
        sheet.set_row(number - 1, None, None, {'hidden': True})
    for column in one.get('hidden_columns', []):
        sheet.set_column(column, column, None, None, {'hidden': True})
    for name, _ in one.get('after', []):
        book.add_worksheet(name).write_string(0, 0, 'nothing')
    book.close()


def with_openpyxl(one, path):
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, is_hidden in one.get('before', []):
        sheet = book.create_sheet(name)
        sheet.append(['Name', 'Mobile'])
        sheet.append(['Nobody', '+4526999999'])
        sheet.sheet_state = 'hidden' if is_hidden else 'visible'
    sheet = book.create_sheet('Debtors')
    book.active = book.index(sheet)
    lead = one.get('lead', 0)
    for column, heading in enumerate(HEAD):
        sheet.cell(lead + 1, column + 1, heading)
    for at, row in enumerate(one['rows']):
        for column, cell in enumerate(row):
            made = sheet.cell(lead + at + 2, column + 1, cell.formula or cell.value or None)
            if isinstance(cell.value, str) and not cell.formula:
                made.data_type = 's'
            if cell.form:
                made.number_format = cell.form
    if one.get('filtered'):
        sheet.auto_filter.ref = f'A1:D{len(one["rows"]) + 1}'
        sheet.auto_filter.add_filter_column(2, ['keep'])
    for number in one.get('hidden_rows', []):
        sheet.row_dimensions[number].hidden = True
    for column in one.get('hidden_columns', []):
        sheet.column_dimensions['ABCD'[column]].hidden = True
    for name, _ in one.get('after', []):
        book.create_sheet(name).append(['nothing'])
    book.save(path)


def with_libreoffice(source, folder, kind):
    os.makedirs(folder, exist_ok=True)
    files = [os.path.join(source, name) for name in sorted(os.listdir(source))]
    subprocess.run(['soffice', '--headless', '--convert-to', kind, '--outdir', folder, *files], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def texts():
    """Name, bytes, rows that are seen, warnings."""
    plain = [[1, HEAD], *[[n + 2, [c.seen for c in row[:3]]] for n, row in enumerate(rows_of(5))]]

    def table(delimiter, end='\r\n', quoting=csv.QUOTE_MINIMAL):
        out = io.StringIO()
        writer = csv.writer(out, delimiter=delimiter, lineterminator=end, quoting=quoting)
        writer.writerow(HEAD)
        for row in rows_of(5):
            writer.writerow([c.seen for c in row])
        return out.getvalue()

    latin = [[number, [cell.replace('Łukasz Żak', 'Lukas Zak') for cell in cells]] for number, cells in plain]
    old = lambda value: value.replace('Łukasz Żak', 'Lukas Zak').encode('cp1252')
    many = table(',').split('\r\n')
    lines = [many[0]] + [many[1 + n % 5] for n in range(200)]
    mixed = '\r\n'.join(lines).encode('utf-8').replace('Søren'.encode('utf-8'), b'S\xf8ren', 1)
    seen = [[1, HEAD], *[[n + 2, plain[1 + n % 5][1]] for n in range(200)]]
    yield 'excel-semicolon.csv', old(table(';')), latin, []
    yield 'excel-utf8.csv', b'\xef\xbb\xbf' + table(';').encode('utf-8'), plain, []
    yield 'excel-unicode.txt', b'\xff\xfe' + table('\t').encode('utf-16le'), plain, []
    yield 'excel-sep.csv', old('sep=,\r\n' + table(',')), latin, []
    yield 'google-sheets.csv', table(',').encode('utf-8'), plain, []
    yield 'google-sheets.tsv', table('\t').encode('utf-8'), plain, []
    yield 'libreoffice.csv', table(',', '\n', csv.QUOTE_NONNUMERIC).encode('utf-8'), plain, []
    yield 'numbers.csv', table(';', '\n').encode('utf-8'), plain, []
    yield 'macintosh.csv', table(';', '\r').encode('utf-8'), plain, []
    yield 'one-bad-byte.csv', mixed, seen, ['line 2: not UTF-8 as the others']


def main():
    for folder in ['excel', 'openpyxl', 'libreoffice', 'opendocument', 'texts']:
        shutil.rmtree(os.path.join(HERE, folder), ignore_errors=True)
        os.makedirs(os.path.join(HERE, folder))
    truth = []

    def tell(path, rows, warns):
        truth.append({'file': path, 'rows': rows, 'warnings': warns})

    for one in SCENARIOS:
        name = one['name']
        with_xlsxwriter(one, os.path.join(HERE, 'excel', f'{name}.xlsx'))
        with_openpyxl(one, os.path.join(HERE, 'openpyxl', f'{name}.xlsx'))
    with_libreoffice(os.path.join(HERE, 'excel'), os.path.join(HERE, 'libreoffice'), 'xlsx')
    with_libreoffice(os.path.join(HERE, 'excel'), os.path.join(HERE, 'opendocument'), 'ods')
    for one in SCENARIOS:
        name = one['name']
        for folder, end in [('excel', 'xlsx'), ('libreoffice', 'xlsx'), ('opendocument', 'ods')]:
            rows = seen_of(one)
            if folder == 'libreoffice' and name == 'long':
                # It keeps fifteen digits when it saves.
                rows[1][1][2] = '1234567890123460'
            tell(f'{folder}/{name}.{end}', rows, one['warns'])
        warns = [w.replace('are computed', 'are computed by formulas without a result').replace(
            'show an error', 'are computed by formulas without a result') for w in one['warns']]
        tell(f'openpyxl/{name}.xlsx', seen_of(one, True), warns)
    for name, content, rows, warns in texts():
        with open(os.path.join(HERE, 'texts', name), 'wb') as file:
            file.write(content)
        tell(f'texts/{name}', [[number, [*cells]] for number, cells in rows], warns)
    with open(os.path.join(HERE, 'truth.json'), 'w', encoding='utf-8') as file:
        file.write('[\n' + ',\n'.join(json.dumps(one, ensure_ascii=False) for one in truth) + '\n]\n')
    print(len(truth), 'files')


main()
