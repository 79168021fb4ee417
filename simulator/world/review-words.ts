export type Mood = 'praise' | 'mixed' | 'complaint';

/**
 * A title and a text; {brand} and {a} are filled in. Quotes and ampersands are there because
 * reviewers write them.
 */
export type ReviewText = readonly [title: string, body: string];

const english: Record<Mood, readonly ReviewText[]> = {
  praise: [
    ['Love it', 'I use {brand} every single day. Best app for {a} I have tried.'],
    ['Exactly what I needed', 'Clean, fast & simple. {a} finally works the way I think.'],
    ['5 stars ⭐️⭐️⭐️⭐️⭐️', 'The widget is great 🎉 Support answered within an hour!'],
    ['Game changer', 'Three months in and I have not missed a day. Thank you, {brand} team.'],
    ['Worth every cent', 'Bought the "Pro" version after two days. No regrets.'],
  ],
  mixed: [
    ['Good, but…', 'Nice for {a}. Please bring back the old calendar view.'],
    ['Almost there', 'I like {brand}, yet the sync takes <5 minutes only on a good day.'],
    ['Decent', 'Does the job. Too many reminders for my taste, and no dark icon.'],
  ],
  complaint: [
    [
      'Crashes since the update',
      'It crashes on start since {version}. I can not open {a} any more. Please fix!',
    ],
    ['Lost my data', 'After the last update all my entries are gone. Two years of {a}, just gone.'],
    [
      'Subscription trap',
      'They charged me after I cancelled the trial. Support does not answer. Refund please.',
    ],
    ['Too many ads', 'An ad after every tap. {brand} was good once, now it is unusable.'],
    ['Login broken', 'Can\'t log in, "unknown error 500" & no help anywhere.'],
  ],
};

export const reviewTexts: Readonly<Record<string, Record<Mood, readonly ReviewText[]>>> = {
  en: english,
  de: {
    praise: [
      ['Klasse App', 'Ich benutze {brand} jeden Tag. Für {a} gibt es nichts Besseres.'],
      ['Endlich!', 'Übersichtlich, schnell & schön. Das Widget ist super.'],
    ],
    mixed: [['Ganz gut', '{brand} ist ordentlich, aber der Kalender fehlt mir.']],
    complaint: [
      [
        'Stürzt ständig ab',
        'Seit dem Update auf {version} stürzt die App beim Start ab. Bitte beheben!',
      ],
      ['Abo-Falle', 'Trotz Kündigung wurde abgebucht. Ich möchte mein Geld zurück.'],
    ],
  },
  fr: {
    praise: [['Parfait', "J'utilise {brand} tous les jours, c'est génial pour {a}."]],
    mixed: [['Pas mal', 'Bonne application, mais trop de notifications.']],
    complaint: [
      [
        'Plante sans arrêt',
        'Depuis la version {version}, {brand} plante au démarrage. Remboursez-moi !',
      ],
    ],
  },
  es: {
    praise: [['Me encanta', 'Uso {brand} todos los días. ¡La mejor para {a}!']],
    mixed: [['Está bien', 'Cumple, pero le falta el modo oscuro.']],
    complaint: [['No funciona', 'Desde la versión {version} se cierra sola. Quiero un reembolso.']],
  },
  pt: {
    praise: [['Excelente', 'Uso {brand} todo dia, é o melhor para {a}.']],
    mixed: [['Bom', 'Faz o que promete, mas a sincronização demora.']],
    complaint: [['Trava muito', 'Depois da atualização {version} o aplicativo fecha sozinho.']],
  },
  it: {
    praise: [['Fantastica', 'Uso {brand} ogni giorno, perfetta per {a}.']],
    mixed: [['Discreta', 'Carina, ma troppe notifiche.']],
    complaint: [['Si blocca', "Dall'aggiornamento {version} l'app si chiude da sola."]],
  },
  ja: {
    praise: [['最高です', '{brand}を毎日使っています。{a}にぴったり。']],
    mixed: [['まあまあ', '悪くないですが、通知が多すぎます。']],
    complaint: [['起動しない', '{version}にしてから落ちます。早く直してください。']],
  },
};

export const replies: Readonly<Record<string, string>> = {
  en:
    'Hi, thank you for writing. We are sorry about this & have a fix on the way. Please reach ' +
    'us at support.',
  de: 'Hallo, danke für die Rückmeldung. Eine Korrektur ist unterwegs.',
  fr: 'Bonjour, merci pour votre retour. Un correctif arrive.',
  es: 'Hola, gracias por tu comentario. Estamos trabajando en ello.',
  pt: 'Olá, obrigado pelo comentário. Já estamos corrigindo.',
  it: 'Ciao, grazie del commento. La correzione è in arrivo.',
  ja: 'ご意見ありがとうございます。修正版を準備しています。',
};

export const reviewerNames =
  'Ana,Ben,Chloé,Dmitri,Elif,Femi,Grace,Hana,Iris,Jonas,Keiko,Lars,Mina,Noor,Oleg,Priya,Quinn,Rosa,Sven,Tariq,Uma,Viktor,Wei,Xenia,Yusuf,Zoë'.split(
    ',',
  );
