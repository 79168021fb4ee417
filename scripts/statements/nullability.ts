/**
 * Which columns of an analyzed statement can be null. Says "can" wherever it does not know better:
 * a claim that such a column is never null is then stated in the code.
 */
import type { TreeNode } from './node-tree.ts';

/** Facts of the catalog; oids as they appear in trees. */
export interface Catalog {
  /** True when the column of the table is declared not null. */
  isNotNull(tableOid: string, column: number): boolean;
  /** The function's own name in PostgreSQL's code, such as int4pl; null for functions of ours. */
  functionSource(oid: string): string | null;
  /** True when the function returns a value whenever each argument is one. */
  isStrict(oid: string): boolean;
}

export interface Column {
  name: string;
  isNullable: boolean;
}

const kinds = { relation: 0, subquery: 1, join: 2, function: 3, values: 5, cte: 6, group: 9 };

/** Strict functions that can make null of values. */
const canMakeNull =
  /^(jsonb?_(object_field|array_element|extract_path|path_)|textregexsubstr|regexp_|array_(position|lower|upper|length|ndims)|range_(lower|upper)|to_reg|show_config_by_name_missing)/;
/** Functions that are not strict and never return null. */
const neverNull =
  /^(json_build|jsonb_build|text_concat|concat|row_number|window_(row_number|rank|dense_rank|ntile)|aggregate_dummy_count|now|clock_timestamp|current_timestamp|array_append|array_cat|array_to_text_null|pg_current_snapshot)/;
/** count(*) and count(x) in pg_proc. */
const counts = new Set(['2147', '2803']);

export class Query {
  private readonly tree: TreeNode;
  private readonly catalog: Catalog;
  /** The query around this one. */
  private readonly outer: Query | null;

  constructor(tree: TreeNode, catalog: Catalog, outer: Query | null = null) {
    this.tree = tree;
    this.catalog = catalog;
    this.outer = outer;
  }

  columns(): Column[] {
    const returning = this.tree.nodes('returningList');
    const isSelect = this.tree.text('commandType') === '1';
    const entries = isSelect ? this.tree.nodes('targetList') : returning;
    return entries
      .filter((entry) => entry.text('resjunk') === 'false')
      .map((entry, index) => ({
        name: entry.text('resname'),
        isNullable: this.isColumnNullable(entry.node('expr')!, index),
      }));
  }

  private isColumnNullable(expression: TreeNode, index: number): boolean {
    const operation = this.tree.node('setOperations');
    return operation ? this.isBranchNullable(operation, index) : this.isNullable(expression);
  }

  /** A union's column can be null when that of a branch can. */
  private isBranchNullable(branch: TreeNode, index: number): boolean {
    if (branch.type === 'RANGETBLREF') {
      const query = this.entry(branch.number('rtindex')).node('subquery')!;
      return new Query(query, this.catalog, this).columns()[index]!.isNullable;
    }
    return ['larg', 'rarg'].some((side) => this.isBranchNullable(branch.node(side)!, index));
  }

  private isNullable(node: TreeNode): boolean {
    const some = (field: string) => node.nodes(field).some((one) => this.isNullable(one));
    const every = (field: string) => node.nodes(field).every((one) => this.isNullable(one));
    switch (node.type) {
      case 'VAR':
        return this.isVariableNullable(node);
      case 'CONST':
        return node.text('constisnull') === 'true';
      case 'COALESCEEXPR':
      case 'MINMAXEXPR':
        return every('args');
      case 'BOOLEXPR':
        return some('args');
      case 'NULLTEST':
      case 'BOOLEANTEST':
      case 'DISTINCTEXPR':
      case 'ARRAYEXPR':
      case 'ROWEXPR':
      case 'SQLVALUEFUNCTION':
        return false;
      case 'RELABELTYPE':
      case 'COERCEVIAIO':
      case 'ARRAYCOERCEEXPR':
        return this.isNullable(node.node('arg')!);
      case 'FUNCEXPR':
        return this.isCallNullable(node.text('funcid'), some('args'));
      case 'OPEXPR':
        return this.isCallNullable(node.text('opfuncid'), some('args'));
      case 'SCALARARRAYOPEXPR':
        return some('args');
      case 'AGGREF':
        return !counts.has(node.text('aggfnoid'));
      case 'WINDOWFUNC':
        return (
          !counts.has(node.text('winfnoid')) && this.isCallNullable(node.text('winfnoid'), true)
        );
      case 'CASEEXPR':
        return this.isCaseNullable(node);
      case 'SUBLINK':
        return this.isSublinkNullable(node);
      default:
        return true;
    }
  }

  private isCallNullable(oid: string, hasNullableArgument: boolean): boolean {
    const source = this.catalog.functionSource(oid);
    if (source === null) return true;
    if (neverNull.test(source)) return false;
    return hasNullableArgument || !this.catalog.isStrict(oid) || canMakeNull.test(source);
  }

  private isCaseNullable(node: TreeNode): boolean {
    const otherwise = node.node('defresult');
    const results = node.nodes('args').map((when) => when.node('result')!);
    return !otherwise || [...results, otherwise].some((result) => this.isNullable(result));
  }

  private isSublinkNullable(node: TreeNode): boolean {
    const [exists, expression, array] = ['0', '4', '6'];
    const kind = node.text('subLinkType');
    if (kind === exists || kind === array) return false;
    const query = node.node('subselect')!;
    // An aggregate without groups has always a row.
    const hasRow =
      query.text('hasAggs') === 'true' &&
      query.list('groupClause').length === 0 &&
      !query.node('havingQual');
    if (kind !== expression || !hasRow) return true;
    return new Query(query, this.catalog, this).columns()[0]!.isNullable;
  }

  private isVariableNullable(node: TreeNode): boolean {
    if (node.list('varnullingrels').length > 1) return true;
    const query = this.around(node.number('varlevelsup'));
    return query.isFieldNullable(query.entry(node.number('varno')), node.number('varattno'));
  }

  /** The query this many levels further out. */
  private around(levels: number): Query {
    return levels === 0 ? this : this.outer!.around(levels - 1);
  }

  private entry(index: number): TreeNode {
    return this.tree.nodes('rtable')[index - 1]!;
  }

  /** A column of something in FROM. A system column or a whole row is never null. */
  private isFieldNullable(entry: TreeNode, column: number): boolean {
    if (column <= 0) return false;
    switch (entry.number('rtekind')) {
      case kinds.relation:
        return !this.catalog.isNotNull(entry.text('relid'), column);
      case kinds.subquery:
        return this.isResultNullable(
          new Query(entry.node('subquery')!, this.catalog, this),
          column,
        );
      case kinds.join:
        return this.isNullable(entry.nodes('joinaliasvars')[column - 1]!);
      case kinds.group:
        return this.isNullable(entry.nodes('groupexprs')[column - 1]!);
      case kinds.function:
        return this.isFunctionColumnNullable(entry, column);
      case kinds.values:
        return entry
          .list('values_lists')
          .some((row) => this.isNullable((row as TreeNode[])[column - 1]!));
      case kinds.cte:
        return this.isCteNullable(entry, column);
      default:
        return true;
    }
  }

  private isResultNullable(query: Query, column: number): boolean {
    return query.columns()[column - 1]?.isNullable ?? true;
  }

  /** The number that WITH ORDINALITY adds, and a series. */
  private isFunctionColumnNullable(entry: TreeNode, column: number): boolean {
    const functions = entry.nodes('functions');
    const columnsBefore = functions.reduce((sum, one) => sum + one.number('funccolcount'), 0);
    if (entry.text('funcordinality') === 'true' && column === columnsBefore + 1) return false;
    const call = functions.length === 1 ? functions[0]!.node('funcexpr') : undefined;
    const source = call?.type === 'FUNCEXPR' && this.catalog.functionSource(call.text('funcid'));
    return !source || !source.startsWith('generate_series');
  }

  private isCteNullable(entry: TreeNode, column: number): boolean {
    const query = this.around(entry.number('ctelevelsup'));
    const name = entry.text('ctename');
    const cte = query.tree.nodes('cteList').find((one) => one.text('ctename') === name)!;
    if (cte.text('cterecursive') === 'true') return true;
    return this.isResultNullable(new Query(cte.node('ctequery')!, this.catalog, query), column);
  }
}
