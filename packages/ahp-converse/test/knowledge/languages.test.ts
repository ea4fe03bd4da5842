import { describe, expect, it } from 'vitest'
import { createKnowledge } from '../../src/knowledge.js'
import { answerIn, turnOf, urlsOf } from './turn.js'

interface Site {
  readonly language: string
  readonly content: string
  /** A question, the anchor of the section that answers it, and what the answer has. */
  readonly questions: readonly (readonly [query: string, anchor: string, quoted: string])[]
}

const SITES: readonly Site[] = [
  {
    language: 'de',
    content: `# Rückgabe

## Rückerstattungen

Die Rückerstattung dauert z. B. bei Kreditkarten bis zu fünf Werktage. Gutscheine werden sofort ersetzt.

## Öffnungszeiten

Unser Laden in der Straße am Markt ist ab dem 3. Mai täglich von neun bis achtzehn Uhr geöffnet.`,
    questions: [
      [
        'Wie lange dauert eine Rückerstattung?',
        'rückerstattungen',
        'dauert z. B. bei Kreditkarten bis zu fünf',
      ],
      ['Wann hat der Laden geöffnet?', 'öffnungszeiten', 'ab dem 3. Mai täglich'],
      ['öffnungszeit', 'öffnungszeiten', 'neun bis achtzehn'],
    ],
  },
  {
    language: 'ru',
    content: `# Магазин

## Возврат товара

Вы можете вернуть товар в течение 30 дней. Деньги возвращаются на карту.

## Доставка

Посылки доставляются курьером за два дня. Доставка по городу бесплатна.`,
    questions: [
      ['Как вернуть товары?', 'возврат-товара', 'в течение 30 дней'],
      ['Сколько стоит доставка по городу?', 'доставка', 'бесплатна'],
    ],
  },
  {
    language: 'ja',
    content: `# お店のご案内

## 返品について

商品到着後三十日以内であれば返品できます。返品の送料はお客様のご負担です。

## 営業時間

平日は午前九時から午後六時まで営業しています。日曜日は休みです。`,
    questions: [
      ['返品はできますか', '返品について', '三十日以内であれば返品できます。'],
      ['営業時間を教えてください', '営業時間', '午前九時から'],
    ],
  },
  {
    language: 'ar',
    content: `# المتجر

## إرجاع المنتجات

يمكنك إرجاع المنتج خلال ثلاثين يوما من الاستلام. يعاد المبلغ إلى بطاقتك.

## الشحن

يستغرق الشحن يومين داخل المدينة. الشحن مجاني للطلبات الكبيرة.`,
    questions: [
      ['كيف يمكنني إرجاع منتج؟', 'إرجاع-المنتجات', 'خلال ثلاثين يوما'],
      ['كم يستغرق الشحن داخل المدينة؟', 'الشحن', 'يومين داخل المدينة'],
    ],
  },
  {
    language: 'th',
    content: `# ร้านค้า

## การคืนสินค้า

คุณสามารถคืนสินค้าได้ภายใน 30 วันหลังจากได้รับสินค้า

## เวลาทำการ

ร้านเปิดทุกวันตั้งแต่เก้าโมงเช้าถึงหกโมงเย็น`,
    questions: [
      ['คืนสินค้าได้ไหม', 'การคืนสินค้า', 'ภายใน 30 วัน'],
      ['เวลาทำการของร้าน', 'เวลาทำการ', 'เก้าโมงเช้า'],
    ],
  },
]

describe.each(SITES)('a site in $language', ({ language, content, questions }) => {
  it.each(questions)('answers "%s"', async (query, anchor, quoted) => {
    const documents = [{ url: '/page', language, content }]
    const knowledge = await createKnowledge({ documents })
    const answer = answerIn(await knowledge.answer(turnOf(query, { locale: language })))
    expect(answer.answer).toContain(quoted)
    expect(urlsOf(answer)[0]).toBe(`/page#${encodeURIComponent(anchor)}`)
  })

  it('is recognised by its script or told, and answers without a locale too', async () => {
    const documents = [{ url: '/page', content, ...(language === 'de' && { language }) }]
    const knowledge = await createKnowledge({ documents })
    expect(knowledge.documents[0]?.language).toBe(language)
    const [query = '', , quoted] = questions[0] ?? []
    expect(answerIn(await knowledge.answer(turnOf(query))).answer).toContain(quoted)
  })

  it('does not answer what it does not know', async () => {
    const knowledge = await createKnowledge({ documents: [{ url: '/page', language, content }] })
    const answer = answerIn(await knowledge.answer(turnOf('Quantum chromodynamics?', { locale: language })))
    expect(answer.sources).toBeUndefined()
  })
})

describe('a site in several languages', () => {
  const documents = SITES.map(({ language, content }) => ({ url: `/${language}`, language, content }))

  it.each(
    SITES.map(({ language, questions }) => [language, questions[0]?.[0] ?? '', questions[0]?.[2] ?? '']),
  )('answers in %s what is asked in it', async (_, query, quoted) => {
    const knowledge = await createKnowledge({ documents })
    expect(answerIn(await knowledge.answer(turnOf(query))).answer).toContain(quoted)
  })

  it('quotes the page in the language of the visitor where both pages match', async () => {
    const both = ['en', 'de', 'fr'].map((language) => ({
      url: `/${language}`,
      language,
      content: `# API\n\nAPI timeout (${language}): 30 s.`,
    }))
    const knowledge = await createKnowledge({ documents: both })
    for (const locale of ['de', 'fr-CA', 'en-GB']) {
      const answer = answerIn(await knowledge.answer(turnOf('API timeout', { locale })))
      expect(urlsOf(answer)[0]).toBe(`/${locale.slice(0, 2)}`)
    }
  })

  it('quotes another language rather than nothing', async () => {
    const knowledge = await createKnowledge({ documents })
    const answer = answerIn(await knowledge.answer(turnOf('返品はできますか', { locale: 'de' })))
    expect(urlsOf(answer)[0]).toContain('/ja#')
  })

  it('finds words without the accents that were left out', async () => {
    const content = '# Café\n\nLe café ouvre à sept heures à Orléans.'
    const knowledge = await createKnowledge({ documents: [{ url: '/', language: 'fr', content }] })
    expect(answerIn(await knowledge.answer(turnOf('cafe orleans'))).answer).toContain('sept heures')
  })
})
