/** A topic of invented apps. The folder of each store has the store's category for it. */
export interface Subject {
  name: string;
  nouns: readonly string[];
  local: Readonly<Record<string, string>>;
}

const subject = (name: string, nouns: string, local: Record<string, string>): Subject => ({
  name,
  nouns: nouns.split(','),
  local,
});

export const subjects: readonly Subject[] = [
  subject(
    'Productivity',
    'habit tracker,daily planner,to do list,notes,focus timer,calendar,reminders,goal ' +
      'setting,routine planner,task manager',
    {
      de: 'Produktivität',
      fr: 'Productivité',
      es: 'Productividad',
      pt: 'Produtividade',
      ja: '仕事効率化',
      it: 'Produttività',
    },
  ),
  subject(
    'Health & Fitness',
    'mood journal,meditation,sleep sounds,workout,step counter,calorie counter,yoga,water ' +
      'reminder,fasting,running tracker',
    {
      de: 'Gesundheit',
      fr: 'Forme et santé',
      es: 'Salud',
      pt: 'Saúde',
      ja: 'ヘルスケア',
      it: 'Salute',
    },
  ),
  subject(
    'Lifestyle',
    'diary,gratitude journal,self care,affirmations,horoscope,dream journal,recipes,home ' +
      'design,pet care,couples',
    {
      de: 'Lifestyle',
      fr: 'Style de vie',
      es: 'Estilo de vida',
      pt: 'Estilo de vida',
      ja: 'ライフスタイル',
      it: 'Stile di vita',
    },
  ),
  subject(
    'Finance',
    'budget planner,expense tracker,stocks,crypto wallet,bank,invoices,bill ' +
      'reminder,savings,tax,money manager',
    {
      de: 'Finanzen',
      fr: 'Finance',
      es: 'Finanzas',
      pt: 'Finanças',
      ja: 'ファイナンス',
      it: 'Finanza',
    },
  ),
  subject(
    'Utilities',
    'calculator,qr scanner,vpn,flashlight,file manager,unit converter,compass,password ' +
      'manager,cleaner,keyboard',
    {
      de: 'Werkzeuge',
      fr: 'Utilitaires',
      es: 'Utilidades',
      pt: 'Utilitários',
      ja: 'ユーティリティ',
      it: 'Utilità',
    },
  ),
  subject(
    'Education',
    'learn spanish,flashcards,math solver,language learning,piano ' +
      'lessons,typing,vocabulary,homework,study timer,coding',
    {
      de: 'Bildung',
      fr: 'Éducation',
      es: 'Educación',
      pt: 'Educação',
      ja: '教育',
      it: 'Istruzione',
    },
  ),
  subject(
    'Photo & Video',
    'photo editor,video editor,collage maker,camera filters,background ' +
      'eraser,slideshow,portrait,retouch,film camera,gif maker',
    {
      de: 'Foto und Video',
      fr: 'Photo et vidéo',
      es: 'Foto y vídeo',
      pt: 'Foto e vídeo',
      ja: '写真',
      it: 'Foto e video',
    },
  ),
  subject(
    'Music',
    'music player,guitar tuner,metronome,beat maker,podcast ' +
      'player,karaoke,radio,equalizer,ringtones,voice recorder',
    { de: 'Musik', fr: 'Musique', es: 'Música', pt: 'Música', ja: 'ミュージック', it: 'Musica' },
  ),
  subject(
    'Travel',
    'trip planner,flight tracker,hotel deals,offline maps,packing list,translator,hiking ' +
      'trails,train times,car rental,city guide',
    { de: 'Reisen', fr: 'Voyages', es: 'Viajes', pt: 'Viagens', ja: '旅行', it: 'Viaggi' },
  ),
  subject(
    'Food & Drink',
    'meal planner,grocery list,recipe book,food delivery,coffee timer,wine ' +
      'scanner,baking,keto diet,barcode scanner,cocktails',
    {
      de: 'Essen und Trinken',
      fr: 'Cuisine',
      es: 'Comida y bebida',
      pt: 'Comida e bebida',
      ja: 'フード',
      it: 'Cibo e bevande',
    },
  ),
  subject(
    'Shopping',
    'coupons,price tracker,wish list,fashion,second hand,sneakers,gift ' +
      'ideas,furniture,cashback,auctions',
    {
      de: 'Shopping',
      fr: 'Shopping',
      es: 'Compras',
      pt: 'Compras',
      ja: 'ショッピング',
      it: 'Shopping',
    },
  ),
  subject(
    'Social Networking',
    'chat,dating,group video call,friends,community,messages,stickers,live ' +
      'stream,neighbours,pen pals',
    {
      de: 'Soziales',
      fr: 'Réseaux sociaux',
      es: 'Redes sociales',
      pt: 'Redes sociais',
      ja: 'ソーシャル',
      it: 'Social network',
    },
  ),
  subject(
    'Games',
    'word puzzle,sudoku,match 3,solitaire,idle tycoon,chess,crossword,bubble ' +
      'shooter,mahjong,tower defense',
    { de: 'Spiele', fr: 'Jeux', es: 'Juegos', pt: 'Jogos', ja: 'ゲーム', it: 'Giochi' },
  ),
  subject(
    'Business',
    'time tracker,crm,pdf scanner,team chat,project planner,shift ' +
      'schedule,signature,inventory,business card,video meeting',
    {
      de: 'Wirtschaft',
      fr: 'Économie',
      es: 'Negocios',
      pt: 'Negócios',
      ja: 'ビジネス',
      it: 'Affari',
    },
  ),
  subject(
    'News',
    'local news,rss reader,headlines,sports scores,magazines,world news,newsletters,fact ' +
      'check,weather radar,live tv',
    {
      de: 'Nachrichten',
      fr: 'Actualités',
      es: 'Noticias',
      pt: 'Notícias',
      ja: 'ニュース',
      it: 'News',
    },
  ),
  subject(
    'Weather',
    'weather,rain radar,storm alerts,uv index,air quality,moon phases,tide times,snow ' +
      'report,wind map,forecast widget',
    { de: 'Wetter', fr: 'Météo', es: 'Tiempo', pt: 'Tempo', ja: '天気', it: 'Meteo' },
  ),
];

export const brandStarts =
  'Ka,Lu,Mi,No,Ori,Pa,Qui,Ra,Sol,Ta,Umi,Ve,Wil,Xan,Yo,Zen,Bri,Cal,Dri,El,Fin,Gro,Hal,Iv,Jun,Clo,Spa,Tre,Nim,Bo'.split(
    ',',
  );
export const brandEnds =
  'ra,men,ly,dex,ton,via,ro,sy,lo,mo,bit,nest,well,path,spark,kit,flow,mark,loop,dot,wise,ta,zio,pad,ny,ble,go,mind,lane,up'.split(
    ',',
  );
export const companyForms =
  'Labs,Studio,Apps,Inc.,GmbH,Software,Works,Digital,Mobile,Interactive,Collective,LLC'.split(',');
export const qualities = 'Simple,Smart,Daily,Pro,Easy,Calm,Quick,My,Tiny,Clear,Bright,Happy'.split(
  ',',
);

/** Sentence templates by language; {brand}, {a} and {b} are filled in. English is the fallback. */
export const pitches: Readonly<Record<string, readonly string[]>> = {
  en: [
    '{brand} puts {a} and {b} in one calm place.',
    'Set up {a} in a minute and let {brand} do the rest.',
    'Made for everyone who wants {b} without the noise.',
    'Works offline, syncs when you like, and never sells your data.',
    'Widgets, dark mode and gentle reminders for {a} are included.',
  ],
  de: [
    '{brand} vereint {a} und {b} an einem ruhigen Ort.',
    'In einer Minute eingerichtet: {a} mit {brand}.',
    'Funktioniert offline und verkauft niemals deine Daten.',
  ],
  fr: [
    '{brand} réunit {a} et {b} au même endroit.',
    'Configurez {a} en une minute avec {brand}.',
    'Fonctionne hors ligne et ne vend jamais vos données.',
  ],
  es: [
    '{brand} reúne {a} y {b} en un solo lugar.',
    'Configura {a} en un minuto con {brand}.',
    'Funciona sin conexión y nunca vende tus datos.',
  ],
  pt: [
    '{brand} reúne {a} e {b} em um só lugar.',
    'Configure {a} em um minuto com {brand}.',
    'Funciona offline e nunca vende seus dados.',
  ],
  it: [
    '{brand} riunisce {a} e {b} in un unico posto.',
    'Configura {a} in un minuto con {brand}.',
    'Funziona offline e non vende mai i tuoi dati.',
  ],
  ja: [
    '{brand}は{a}と{b}をひとつにまとめます。',
    '{brand}なら{a}をすぐに始められます。',
    'オフラインでも使えます。',
  ],
};

export const releaseNotes = [
  'Bug fixes and performance improvements.',
  'New widgets, and a calmer first screen.',
  'You asked for it: export to CSV. Also fixes a crash on start.',
  'Faster sync. Fewer taps. Same price.',
];
