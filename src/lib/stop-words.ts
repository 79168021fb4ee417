/** Function words of the languages of most listings. Nobody searches for them alone. */
const functionLists = [
  // en
  'a about after all also always an and any anything are as at be been before but by can do ' +
    'does each ever every everyone everything for from has have here his how i if in including ' +
    'into is it its just let lets like many more most much must my never no not now of off on ' +
    'once one only or other our out over own so some such than that the their them then there ' +
    'these they this those through to too up us very via was we well what when where whether ' +
    'which while who why will with without would you your yours',
  // de
  'aber alle allen alles als am an auch auf aus bei beim bis dann das dass dein deine deinem ' +
    'deinen deiner dem den denn der des die dies diese dieser dieses dir doch du durch ein ' +
    'eine einem einen einer eines er es euch für gibt hat haben hier ihr ihre im in ist jede ' +
    'jeden jeder jetzt kann kannst kein keine mehr mit mein meine nach nicht noch nur oder ' +
    'ohne sich sie sind so über um und uns unser unsere vom von vor was wenn werden wie wir ' +
    'wird zu zum zur',
  // fr
  'au aux avec avez ce cela ces cet cette chez comme dans de des du elle en est et être il ' +
    'ils je la le les leur leurs lui ma mais mes moi mon ne nos notre nous on ont ou où par ' +
    'pas pour pouvez qu que qui sa sans se ses si son sont sur ta te tes toi ton tous tout ' +
    'toute toutes très tu un une vos votre vous',
  // es, pt
  'al ao aos as até com como con contra cual cuando da das de del desde do dos donde e el ' +
    'ella em en entre era es esa ese essa esse esta este estos está están estão eu foi ha ' +
    'hasta hay isso la las le les lo los mais mas me mi minha mis mucho muito más na nas nem ' +
    'no nos nossa nosso nuestra nuestro nunca não o os otra otro ou para pela pelo pero por ' +
    'porque pra puede puedes que quem qué se sem ser si sin sobre son sua suas su sus também ' +
    'tan te tem ter tienes todas todo todos tu tua tus tú um uma un una unas uno unos você ' +
    'vocês y ya yo é',
  // it, nl
  'agli ai al alla alle anche che chi ci col come con cui da dai dal dalla degli dei del ' +
    'della delle di dove ed gli ha hai hanno il io la le lei loro lui mio molto ne nel nella ' +
    'non nostra nostro oltre ogni per perché più puoi quale quando quello questa questo se sei ' +
    'senza si sia solo sono su sua sul sulla suo te tra tu tua tuo tutti tutto un una uno vi ' +
    'voi aan als bij dan dat de deze die dit door een en er geen haar heb hebben heeft het hij ' +
    'hoe ik in is je jij jou jouw kan maar meer met mijn naar niet nog nu of om onze ook op ' +
    'over te tot u uit uw van veel voor waar was wat we wij worden zijn zo zonder',
  // tr, pl, sv, id
  'ama bir bu çok da daha de en gibi her için ile ki mi ne olan olarak sen siz ve veya ya ' +
    'aby ale bez być co czy dla do gdy i ich jak jako jest już lub ma mi może na nie o od oraz ' +
    'po przez się są ta tak ten to tym w wszystkie z za ze att av den det din du eller en ett ' +
    'för från har här i inte kan med men om och på som till var vi är ada adalah agar anda ' +
    'atau bisa dan dari dengan di dapat ini itu juga kamu ke oleh pada saat semua untuk yang',
  // ru, uk
  'а без бы был быть в вам вас ваш ваша ваше ваши во все всё всех вы где да для до его если ' +
    'есть ещё же за и из или им их к как ко который которые мы на не но о об он она они от по ' +
    'под при с самый себя со так то только ты у уже что чтобы это этот я і й та це що як',
  // ar, hi
  'أن أو إلى إن الآن التي الذي الى ان او أي بعد بك بين تم ثم حتى ذلك على عن عند غير في قد كل ' +
    'كما لا لك لكل لم ما مع من منذ هذا هذه هل هو هي و يا और का की के को में से है हैं पर एक यह ' +
    'या लिए नहीं कर अपने आप',
  // zh, ja, ko
  '一个 一個 上 下 不 与 也 了 于 些 他 你 你们 你的 個 个 中 为 為 之 也是 以 们 但 使 使用 其 到 即 可 可以 吧 吗 和 在 地 她 如 它 对 對 ' +
    '將 将 就 并 很 您 您的 所 所有 把 是 更 更多 最 有 来 來 没有 的 着 等 給 给 而 能 與 被 让 讓 请 这 這 都 还 還 那 都是 や と に の は ' +
    'へ も を が で から まで より など する した して さ し た な ない ます です いる ある こと この その もの あなた よう れる なる ください また ' +
    'および および 그리고 및 수 있는 있습니다 를 을 이 가 은 는 의 에 와 과 더 모든',
];

/**
 * Words that every listing uses and that describe no app. "free" and "best" are omitted because
 * people search for them.
 */
const advertisingLists = [
  // en
  'anytime anywhere app application applications apps available awesome back best better ' +
    'class create daily download easily easy enjoy experience fast favorite favourite feature ' +
    'features find first free full get getting gives go got great help helps include includes ' +
    'keep know latest made make makes making need new official online perfect please plus ' +
    'popular powerful premium pro quick quickly right see share simple simply start stay ' +
    'support take thing things time today together top try ultimate unlimited use used user ' +
    'users using want way world worlds year years',
  // de
  'einfach kostenlos neu neue neuen schnell',
  // fr
  'facile facilement gratuit gratuite meilleur meilleure nouveau nouvelle plus',
  // es, pt
  'fácil gratis grátis mejor melhor nova novo nueva nuevo',
  // it, nl
  'facile gratis migliore nieuwe nuova nuovo',
  // tr, pl, sv, id
  'yeni ücretsiz',
  // ru, uk
  'лучший новый',
  // ar, hi
  'جديد مجانا مجاني',
];

const toWords = (lists: readonly string[]): ReadonlySet<string> =>
  new Set(lists.join(' ').split(' '));

export const functionWords = toWords(functionLists);
export const advertisingWords = toWords(advertisingLists);
/** No suggested phrase begins or ends with one of them. */
export const stopWords: ReadonlySet<string> = new Set([...functionWords, ...advertisingWords]);
